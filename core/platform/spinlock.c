/* What threads wait for locks. */
#include "spinlock.h"

#if defined(ACTORBENCH_STATISTICS)
_Thread_local struct lock_waits this_lock_waits;
#else
typedef int nothing_is_counted; /* a file must declare something */
#endif
