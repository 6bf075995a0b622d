// What Swift's Glibc module leaves out: epoll, eventfd, signalfd, pidfd, memfd, fork, timex, malloc_trim.
#pragma once
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// The flags are enumerations of their own type in C; the loop wants plain integers.
static const uint32_t bluefleet_EPOLLIN = EPOLLIN;
static const uint32_t bluefleet_EPOLLOUT = EPOLLOUT;
static const uint32_t bluefleet_EPOLLERR = EPOLLERR;
static const uint32_t bluefleet_EPOLLHUP = EPOLLHUP;
static const int32_t bluefleet_EPOLL_CLOEXEC = EPOLL_CLOEXEC;
static const int32_t bluefleet_EFD_CLOEXEC_NONBLOCK = EFD_CLOEXEC | EFD_NONBLOCK;
static const int32_t bluefleet_SFD_CLOEXEC_NONBLOCK = SFD_CLOEXEC | SFD_NONBLOCK;

// What a child does between fork and exec must not touch Swift's runtime: hence here. The child dies with its parent,
// starts with no signal blocked, and gets `output` as its standard output and error where that is not -1.
static inline pid_t bluefleet_spawn(char *const arguments[], char *const environment[], int output) {
    pid_t child = fork();
    if (child != 0) return child;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (output >= 0) {
        dup2(output, 1);
        dup2(output, 2);
    }
    execve(arguments[0], arguments, environment);
    _exit(127);
}

// Whether whoever started the program has asked the system to keep a signal from it.
static inline int bluefleet_is_ignored(int signal) {
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static inline int bluefleet_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

// Closed in a program that is started.
static inline int bluefleet_memory_file(void) {
    const unsigned closeOnExec = 1;
    return (int)syscall(SYS_memfd_create, "bluefleet", closeOnExec);
}

// Whether a time service keeps the clock synchronized; -1 if the kernel does not report it.
static inline int bluefleet_clock_is_synchronized(void) {
    struct timex state = {0};
    int result = adjtimex(&state);
    return result < 0 ? -1 : result != TIME_ERROR;
}
