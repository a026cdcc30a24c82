/* Contexts. Not makecontext(3): its swap asks the kernel for the signal mask each time, ten times what the change takes. */
#include "switch.h"

#include <stdint.h>

#if defined(__x86_64__)

__asm__(".text\n"
        ".globl switch_stacks\n"
        ".type switch_stacks, @function\n"
        "switch_stacks:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size switch_stacks, .-switch_stacks\n");

enum { KEPT = 6 };

void *switch_stack(void *top, void (*begin)(void)) {
    void **at = top;
    *--at = 0; /* a frame's alignment, and where `begin` would return to */
    *--at = (void *)(uintptr_t)begin;
    for (int i = 0; i < KEPT; i++)
        *--at = 0;
    return at;
}

#else
#error "the simulated machine changes contexts on x86-64 only"
#endif
