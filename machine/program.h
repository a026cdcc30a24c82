/* Included before every source of a program for the simulated machine: what cannot be replaced by the linker. */
#ifndef ACTORBENCH_MACHINE_PROGRAM_H
#define ACTORBENCH_MACHINE_PROGRAM_H

#include <stdint.h>
#include <stdio.h>

#define ACTORBENCH_SIMULATED

#define __builtin_ia32_pause simulated_pause
#define __builtin_ia32_rdtsc simulated_cycles

void simulated_pause(void);
uint64_t simulated_cycles(void);

/* The machine's name. */
const char *simulated_machine(void);

/* What was counted in the timed span, as members of a JSON object. */
void simulated_print_counts(void);

#endif
