/* Where the variables are, and what they start with: the segment PT_TLS of the program's ELF file. */
#include "locals.h"

#include <link.h>
#include <stdint.h>

static struct {
    void *here; /* the kernel thread's own, which the code reads and writes */
    const void *initial;
    size_t initial_size, size;
} segment;

/* For dl_iterate_phdr(3): the first object is the program, and the only one to be looked at. */
static int find(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS) {
            segment.here = object->dlpi_tls_data;
            segment.initial = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
            segment.initial_size = object->dlpi_phdr[i].p_filesz;
            segment.size = object->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static void look(void) {
    if (segment.here == NULL)
        (void)dl_iterate_phdr(find, NULL);
}

/* Not memcpy(3), which is the program's (stand_ins.c). */
static void copy(void *to, const void *from, size_t bytes) {
    uint64_t *words = to;
    const uint64_t *from_words = from;
    size_t count = bytes / sizeof *words;
    for (size_t i = 0; i < count; i++)
        words[i] = from_words[i];
    for (size_t i = count * sizeof *words; i < bytes; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

size_t locals_bytes(void) {
    look();
    return segment.size;
}

void *locals_here(void) {
    look();
    return segment.here;
}

void locals_begin(void *locals) {
    look();
    if (segment.initial_size != 0)
        copy(locals, segment.initial, segment.initial_size);
}

void locals_change(void *before, const void *after) {
    copy(before, segment.here, segment.size);
    copy(segment.here, after, segment.size);
}
