/* The change from one context to another: the registers that a function must keep, and the stack. */
#ifndef ACTORBENCH_MACHINE_SWITCH_H
#define ACTORBENCH_MACHINE_SWITCH_H

/* Keeps the caller's context in *before, and goes on with the other. */
void switch_stacks(void **before, void *after);

/* A context that begins with `begin`, which must not return; `top` is the end of its stack. */
void *switch_stack(void *top, void (*begin)(void));

#endif
