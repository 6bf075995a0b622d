// Functions of glibc 2.38 that a Swift runtime from Debian sid needs and the glibc 2.36 of Debian 12 lacks.
//
// The __isoc23 functions differ from the older ones only in accepting binary numbers (0b1), which the runtime never reads.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t strlcpy(char *target, const char *source, size_t size) {
    size_t length = strlen(source);
    if (size > 0) {
        size_t count = length < size ? length : size - 1;
        memcpy(target, source, count);
        target[count] = '\0';
    }
    return length;
}

long __isoc23_strtol(const char *text, char **end, int base) {
    return strtol(text, end, base);
}

long long __isoc23_strtoll(const char *text, char **end, int base) {
    return strtoll(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}
