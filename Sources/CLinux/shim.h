// Functions that are not in Swift's Glibc module: epoll, eventfd, signalfd, timerfd, pidfd, memfd, fork, timex, statfs,
// malloc_trim.
#pragma once
#include <errno.h>
#include <linux/stat.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// In C the flags have enumeration types of their own; the event loop needs integers.
static const uint32_t bluefleet_EPOLLIN = EPOLLIN;
static const uint32_t bluefleet_EPOLLOUT = EPOLLOUT;
static const uint32_t bluefleet_EPOLLERR = EPOLLERR;
static const uint32_t bluefleet_EPOLLHUP = EPOLLHUP;
static const int32_t bluefleet_EPOLL_CLOEXEC = EPOLL_CLOEXEC;
static const int32_t bluefleet_EFD_CLOEXEC_NONBLOCK = EFD_CLOEXEC | EFD_NONBLOCK;
static const int32_t bluefleet_TFD_CLOEXEC_NONBLOCK = TFD_CLOEXEC | TFD_NONBLOCK;
static const int32_t bluefleet_TFD_CANCEL_ON_SET = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
static const int32_t bluefleet_SFD_CLOEXEC_NONBLOCK = SFD_CLOEXEC | SFD_NONBLOCK;

// Starts a program. Between fork and exec, the child process must not use Swift's runtime, so this function is in C.
// The child receives SIGTERM when its parent ends, and starts without blocked signals. `output` becomes its standard
// output and standard error unless it is -1.
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

// Returns whether the process ignores a signal, e.g. because nohup(1) started the process.
static inline int bluefleet_is_ignored(int signal) {
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static inline int bluefleet_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

// Creates a file in memory; its descriptor is closed in programs that this process starts.
static inline int bluefleet_memory_file(void) {
    const unsigned closeOnExec = 1;
    return (int)syscall(SYS_memfd_create, "bluefleet", closeOnExec);
}

// Returns whether a time service keeps the clock synchronized: 1 or 0; -1 if the kernel does not report it.
static inline int bluefleet_clock_is_synchronized(void) {
    struct timex state = {0};
    int result = adjtimex(&state);
    return result < 0 ? -1 : result != TIME_ERROR;
}

// Returns whether the file system of a folder is in memory: tmpfs or ramfs (statfs(2)).
static inline int bluefleet_is_in_memory(const char *folder) {
    struct statfs status;
    if (statfs(folder, &status) != 0) return 0;
    return (uint32_t)status.f_type == 0x01021994u || (uint32_t)status.f_type == 0x858458F6u;
}

// Returns the time in nanoseconds at which a file was created (statx(2)); 0: the file system does not know.
static inline int64_t bluefleet_creation_time(const char *path) {
    // AT_FDCWD and AT_SYMLINK_NOFOLLOW: <fcntl.h> would make its types a part of this module.
    const int here = -100, no_follow = 0x100;
    struct statx status;
    if (syscall(SYS_statx, here, path, no_follow, STATX_BTIME, &status) != 0) return 0;
    if ((status.stx_mask & STATX_BTIME) == 0) return 0;
    return status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

// The macros major() and minor() are not imported into Swift.
static inline unsigned bluefleet_major(dev_t device) { return major(device); }
static inline unsigned bluefleet_minor(dev_t device) { return minor(device); }
