// What the programs share: the library, and who they are.
#pragma once

#include <uActor.h>

#include "../cfa-common/run.h"

static inline void introduce() {
    run_system("ucpp", "uC++", __VERSION__, __U_CPLUSPLUS__, __U_CPLUSPLUS_MINOR__, __U_CPLUSPLUS_PATCH__);
}
