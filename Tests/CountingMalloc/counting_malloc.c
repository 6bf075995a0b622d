#include "counting_malloc.h"
#include <stddef.h>

// The functions of glibc behind the names that a program can replace.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static unsigned long count;

unsigned long allocation_count(void) { return count; }

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    count++;
    *pointer = __libc_memalign(alignment, size);
    return *pointer == NULL ? 12 : 0;
}
