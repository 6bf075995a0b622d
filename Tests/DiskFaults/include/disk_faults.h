// A disk that is full, fails, writes slowly, or hangs, for the files of the spool: a library for LD_PRELOAD.
//
// The environment variable BLUEFLEET_DISK_FAULTS is the path of a file whose text is the present fault:
//
//     ENOSPC EIO EROFS    each write and each synchronization fails with this error
//     short               each write writes only a part
//     hang                each synchronization waits until the text changes; the file PATH.hanging exists meanwhile
//
// Without the file or the variable there is no fault.
