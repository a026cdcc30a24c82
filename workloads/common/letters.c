/* Writes matrices of letters, and searches them. */
#include "letters.h"

#include <stdlib.h>
#include <string.h>

#include "draw.h"

uint64_t letters_rows = 3000, letters_columns = 1000;

/* The letters of a matrix come eight at a time, from one number that is drawn: each byte times 26 / 256, the even bytes
 * and the odd ones apart, so that each product has room. */
enum { EIGHT = 8 };
static void draw_letters(uint64_t matrix, uint64_t eighth, uint8_t letters[EIGHT]) {
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff), all_a = UINT64_C(0x6161616161616161);
    uint64_t drawn = draw(matrix, eighth);
    uint64_t each = all_a + (((drawn & even) * 26 >> 8 & even) | ((drawn >> 8 & even) * 26 & ~even));
    memcpy(letters, &each, EIGHT);
}

uint8_t *letters_new(uint64_t matrix) {
    uint64_t eighths = (letters_rows * letters_columns + EIGHT - 1) / EIGHT;
    uint8_t *letters = malloc(eighths * EIGHT);
    for (uint64_t i = 0; letters != NULL && i < eighths; i++)
        draw_letters(matrix, i, &letters[i * EIGHT]);
    return letters;
}

void letters_word(uint64_t matrix, struct place place, uint8_t word[WORD]) {
    for (uint64_t i = 0; i < WORD; i++) {
        uint64_t cell = (place.row + i) * letters_columns + place.column;
        uint8_t letters[EIGHT];
        draw_letters(matrix, cell / EIGHT, letters);
        word[i] = letters[cell % EIGHT];
    }
}

static bool stands_at(const uint8_t *first, const uint8_t word[WORD]) {
    for (uint64_t i = 0; i < WORD; i++)
        if (first[i * letters_columns] != word[i])
            return false;
    return true;
}

struct place letters_find(const uint8_t *letters, const uint8_t word[WORD]) {
    for (uint64_t column = 0; column < letters_columns; column++)
        for (uint64_t row = 0; row <= letters_rows - WORD; row++)
            if (stands_at(&letters[row * letters_columns + column], word))
                return (struct place){row, column};
    return (struct place){0, letters_columns};
}
