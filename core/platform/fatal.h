/* The end of a program that cannot go on: one line on standard error, then abort(3). */
#ifndef ACTORBENCH_PLATFORM_FATAL_H
#define ACTORBENCH_PLATFORM_FATAL_H

/* Prints "actorbench: " and the formatted message, and aborts. Safe from any thread. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Prints "actorbench: warning: " and the formatted message. Safe from any thread. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

#endif
