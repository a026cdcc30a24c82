/* Messages that stop or warn: each is written in one piece, so that two threads do not mix their lines. */
#include "fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print_line(const char *kind, const char *format, va_list arguments) {
    char line[512];
    (void)vsnprintf(line, sizeof line, format, arguments);
    /* Nothing can be done about a standard error that is closed. */
    (void)fprintf(stderr, "actorbench: %s%s\n", kind, line);
}

void fatal(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
    abort();
}

void warning(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line("warning: ", format, arguments);
    va_end(arguments);
}
