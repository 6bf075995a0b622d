// A disk that loses power, is full, or fails, for the files of SQLite in one folder.
//
// The shim is SQLite's default file system (VFS) and records each write since the last synchronization of a file. A power
// cut copies the files of the folder to another one: what was synchronized is complete, and of the other writes a random
// part of their sectors of 512 bytes is there. The creation and the deletion of a file are lasting at once.
#pragma once
#include <stdint.h>

enum power_cut_fault {
    // Copies the folder, and goes on.
    power_cut_off,
    // Each write fails with ENOSPC, until power_cut_clear.
    power_cut_full,
    // Each write and each synchronization fails with EIO, until power_cut_clear.
    power_cut_broken,
};

// Begins to record the files that are opened in a folder from now on.
void power_cut_watch(const char *folder);
// Ends the recording; no file of the folder may be open.
void power_cut_unwatch(const char *folder);
// A fault begins at the operation (write, change of the size, synchronization) after `operations` other ones; at once: 0.
// `copy` is the folder for the files of a power cut, which exists; `seed` decides which sectors are lost.
void power_cut_plan(
    const char *folder, enum power_cut_fault fault, int64_t operations, const char *copy, uint64_t seed);
// Returns whether a planned fault has begun.
int power_cut_happened(const char *folder);
// Cuts the power now, between two operations.
void power_cut_now(const char *folder, const char *copy, uint64_t seed);
// Ends a fault, or a plan.
void power_cut_clear(const char *folder);
