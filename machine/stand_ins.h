/* What stands in for the system: what its calls cost. */
#ifndef ACTORBENCH_MACHINE_STAND_INS_H
#define ACTORBENCH_MACHINE_STAND_INS_H

#include "description.h"

void stand_ins_make(const struct description *machine);

#endif
