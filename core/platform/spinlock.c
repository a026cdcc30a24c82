/* What threads wait for locks. */
#include "spinlock.h"

_Thread_local struct lock_waits this_lock_waits;
