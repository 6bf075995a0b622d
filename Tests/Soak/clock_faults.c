// A library for LD_PRELOAD that sets the calendar clock of one program, while the machine's clock stays right.
//
// The file that BLUEFLEET_CLOCK_FAULTS names contains the difference to the machine's clock in seconds. The program
// notices a change as with the kernel: the read from its timer fails with ECANCELED.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static atomic_long difference;
static atomic_int watch = -1;

static void *next_function(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    return function;
}

// Returns the content of the file, or the present difference if there is no file.
static long read_difference(const char *path) {
    char text[32] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return difference;
    ssize_t (*next)(int, void *, size_t) = next_function("read");
    ssize_t length = next(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? strtol(text, NULL, 10) : difference;
}

static void *follow(void *path) {
    for (;;) {
        long new = read_difference(path);
        if (new != difference) {
            difference = new;
            if (watch >= 0) eventfd_write(watch, 1);
        }
        usleep(100000);
    }
    return NULL;
}

__attribute__((constructor)) static void start(void) {
    char *path = getenv("BLUEFLEET_CLOCK_FAULTS");
    if (path == NULL) return;
    difference = read_difference(path);
    // Signals must reach the threads of the program only.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    pthread_create(&thread, NULL, follow, path);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int clock_gettime(clockid_t clock, struct timespec *moment) {
    int (*next)(clockid_t, struct timespec *) = next_function("clock_gettime");
    int result = next(clock, moment);
    if (clock == CLOCK_REALTIME && result == 0) moment->tv_sec += difference;
    return result;
}

int timerfd_create(clockid_t clock, int flags) {
    int (*next)(clockid_t, int) = next_function("timerfd_create");
    if (clock != CLOCK_REALTIME) return next(clock, flags);
    watch = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return watch;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
    int (*next)(int, int, const struct itimerspec *, struct itimerspec *) = next_function("timerfd_settime");
    return timer == watch ? 0 : next(timer, flags, new, old);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    ssize_t (*next)(int, void *, size_t) = next_function("read");
    ssize_t length = next(descriptor, bytes, count);
    if (descriptor != watch || length < 0) return length;
    errno = ECANCELED;
    return -1;
}
