/* Text from outside, such as a word of the command line, made safe to stand in a message: one line stays one line. */
#ifndef ACTORBENCH_PLATFORM_TEXT_H
#define ACTORBENCH_PLATFORM_TEXT_H

/* Replaces every character that is not seen but acts on a terminal, a line break too. Bytes above 127 are left: they may be
 * letters of UTF-8. */
static inline void text_make_visible(char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

#endif
