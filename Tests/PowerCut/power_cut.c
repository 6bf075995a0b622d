#include "power_cut.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512 };

// A write since the last synchronization, or a change of the size (bytes == NULL).
typedef struct operation {
    struct operation *next;
    int64_t offset;
    int64_t length;
    uint8_t *bytes;
} operation;

// The contents of a file that survive a power cut, and the operations that may not.
typedef struct image {
    struct image *next;
    dev_t device;
    ino_t inode;
    uint8_t *bytes;
    int64_t size;
    int is_synchronized;
    operation *first, *last;
} image;

typedef struct folder {
    struct folder *next;
    char *path;
    image *images;
    enum power_cut_fault fault;
    int is_planned, has_begun;
    int64_t operations;
    char *copy;
    uint64_t seed;
} folder;

typedef struct file {
    sqlite3_file base;
    folder *folder;
    image *image;
    sqlite3_file *real;
} file;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static folder *folders;
static sqlite3_vfs vfs, *real_vfs;

// MARK: Random numbers (SplitMix64)

static uint64_t next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15;
    uint64_t mixed = *state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

// MARK: Images

static void resize(uint8_t **bytes, int64_t *size, int64_t new_size) {
    *bytes = realloc(*bytes, new_size + 1);
    if (new_size > *size) memset(*bytes + *size, 0, new_size - *size);
    *size = new_size;
}

static void apply(uint8_t **bytes, int64_t *size, const operation *operation, uint64_t *random) {
    if (operation->bytes == NULL) {
        if (random == NULL || next_random(random) % 2) resize(bytes, size, operation->length);
        return;
    }
    // 0: all sectors arrive, 1: none, others: each by chance.
    uint64_t way = random == NULL ? 0 : next_random(random) % 4;
    int64_t end = operation->offset + operation->length;
    for (int64_t start = operation->offset, stop; start < end; start = stop) {
        stop = (start / sector + 1) * sector;
        if (stop > end) stop = end;
        if (way == 1 || (way > 1 && next_random(random) % 2)) continue;
        if (stop > *size) resize(bytes, size, stop);
        memcpy(*bytes + start, operation->bytes + (start - operation->offset), stop - start);
    }
}

static void forget_operations(image *image) {
    while (image->first != NULL) {
        operation *operation = image->first;
        image->first = operation->next;
        free(operation->bytes);
        free(operation);
    }
    image->last = NULL;
}

static void record(image *image, int64_t offset, int64_t length, const void *bytes) {
    operation *new = calloc(1, sizeof *new);
    new->offset = offset;
    new->length = length;
    if (bytes != NULL) {
        new->bytes = malloc(length + 1);
        memcpy(new->bytes, bytes, length);
    }
    if (image->last != NULL) image->last->next = new; else image->first = new;
    image->last = new;
}

static void synchronize(image *image) {
    for (operation *operation = image->first; operation != NULL; operation = operation->next)
        apply(&image->bytes, &image->size, operation, NULL);
    forget_operations(image);
    image->is_synchronized = 1;
}

static uint8_t *contents(const char *path, int64_t *size) {
    FILE *stream = fopen(path, "r");
    struct stat status;
    if (stream == NULL || fstat(fileno(stream), &status) != 0) abort();
    uint8_t *bytes = malloc(status.st_size + 1);
    *size = fread(bytes, 1, status.st_size, stream);
    fclose(stream);
    return bytes;
}

static void write_file(const char *path, const uint8_t *bytes, int64_t size) {
    FILE *stream = fopen(path, "w");
    if (stream == NULL || fwrite(bytes, 1, size, stream) != (size_t)size) abort();
    fclose(stream);
}

// Returns the image of a file; a file that was not known has lasting contents.
static image *find_image(folder *folder, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return NULL;
    image *found = folder->images;
    while (found != NULL && (found->device != status.st_dev || found->inode != status.st_ino)) found = found->next;
    // An empty file is a new one: it may have the number of a deleted one.
    if (found != NULL && status.st_size > 0) return found;
    if (found == NULL) {
        found = calloc(1, sizeof *found);
        found->next = folder->images;
        folder->images = found;
        found->device = status.st_dev;
        found->inode = status.st_ino;
    }
    forget_operations(found);
    free(found->bytes);
    found->bytes = contents(path, &found->size);
    found->is_synchronized = status.st_size > 0;
    return found;
}

// MARK: Faults

static void cut(folder *folder, const char *copy, uint64_t seed) {
    DIR *directory = opendir(folder->path);
    if (directory == NULL) return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char from[PATH_MAX], to[PATH_MAX];
        snprintf(from, sizeof from, "%s/%s", folder->path, entry->d_name);
        snprintf(to, sizeof to, "%s/%s", copy, entry->d_name);
        struct stat status;
        if (stat(from, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        image *image = folder->images;
        while (image != NULL && (image->device != status.st_dev || image->inode != status.st_ino)) image = image->next;
        int64_t size;
        uint8_t *bytes;
        if (image == NULL) {
            bytes = contents(from, &size);
        } else {
            if (!image->is_synchronized && next_random(&seed) % 2) continue;
            size = image->size;
            bytes = malloc(size + 1);
            memcpy(bytes, image->bytes, size);
            for (operation *operation = image->first; operation != NULL; operation = operation->next)
                apply(&bytes, &size, operation, &seed);
        }
        write_file(to, bytes, size);
        free(bytes);
    }
    closedir(directory);
}

// Counts an operation; returns the error with which it fails.
static int count(folder *folder, int is_synchronization) {
    if (folder->is_planned && folder->operations-- <= 0) {
        folder->is_planned = 0;
        folder->has_begun = 1;
        if (folder->fault == power_cut_off) cut(folder, folder->copy, folder->seed);
    }
    if (!folder->has_begun || folder->fault == power_cut_off) return SQLITE_OK;
    if (folder->fault == power_cut_broken) return is_synchronization ? SQLITE_IOERR_FSYNC : SQLITE_IOERR_WRITE;
    return is_synchronization ? SQLITE_OK : SQLITE_FULL;
}

// MARK: The methods of a file

static sqlite3_file *real(sqlite3_file *handle) { return ((file *)handle)->real; }

static int close_file(sqlite3_file *handle) {
    int code = real(handle)->pMethods->xClose(real(handle));
    free(real(handle));
    return code;
}

static int read_file(sqlite3_file *handle, void *bytes, int length, sqlite3_int64 offset) {
    return real(handle)->pMethods->xRead(real(handle), bytes, length, offset);
}

static int write_bytes(sqlite3_file *handle, const void *bytes, int length, sqlite3_int64 offset) {
    file *file = (struct file *)handle;
    pthread_mutex_lock(&lock);
    int code = count(file->folder, 0);
    if (code == SQLITE_OK) record(file->image, offset, length, bytes);
    // A cut in the middle of this write is as good as one at the next operation.
    pthread_mutex_unlock(&lock);
    return code == SQLITE_OK ? file->real->pMethods->xWrite(file->real, bytes, length, offset) : code;
}

static int truncate_file(sqlite3_file *handle, sqlite3_int64 size) {
    file *file = (struct file *)handle;
    pthread_mutex_lock(&lock);
    int code = count(file->folder, 0);
    if (code == SQLITE_OK) record(file->image, 0, size, NULL);
    pthread_mutex_unlock(&lock);
    return code == SQLITE_OK ? file->real->pMethods->xTruncate(file->real, size) : code;
}

static int synchronize_file(sqlite3_file *handle, int flags) {
    (void)flags;
    file *file = (struct file *)handle;
    pthread_mutex_lock(&lock);
    int code = count(file->folder, 1);
    if (code == SQLITE_OK) synchronize(file->image);
    pthread_mutex_unlock(&lock);
    // The real disk need not be waited for.
    return code;
}

static int file_size(sqlite3_file *handle, sqlite3_int64 *size) {
    return real(handle)->pMethods->xFileSize(real(handle), size);
}

static int lock_file(sqlite3_file *handle, int kind) { return real(handle)->pMethods->xLock(real(handle), kind); }

static int unlock_file(sqlite3_file *handle, int kind) { return real(handle)->pMethods->xUnlock(real(handle), kind); }

static int check_lock(sqlite3_file *handle, int *is_locked) {
    return real(handle)->pMethods->xCheckReservedLock(real(handle), is_locked);
}

static int control(sqlite3_file *handle, int operation, void *argument) {
    return real(handle)->pMethods->xFileControl(real(handle), operation, argument);
}

static int sector_size(sqlite3_file *handle) { return real(handle)->pMethods->xSectorSize(real(handle)); }

static int characteristics(sqlite3_file *handle) { return real(handle)->pMethods->xDeviceCharacteristics(real(handle)); }

static int map_index(sqlite3_file *handle, int page, int size, int extends, void volatile **address) {
    return real(handle)->pMethods->xShmMap(real(handle), page, size, extends, address);
}

static int lock_index(sqlite3_file *handle, int offset, int count, int flags) {
    return real(handle)->pMethods->xShmLock(real(handle), offset, count, flags);
}

static void index_barrier(sqlite3_file *handle) { real(handle)->pMethods->xShmBarrier(real(handle)); }

static int unmap_index(sqlite3_file *handle, int deletes) {
    return real(handle)->pMethods->xShmUnmap(real(handle), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, .xClose = close_file, .xRead = read_file, .xWrite = write_bytes, .xTruncate = truncate_file,
    .xSync = synchronize_file, .xFileSize = file_size, .xLock = lock_file, .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock, .xFileControl = control, .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics, .xShmMap = map_index, .xShmLock = lock_index,
    .xShmBarrier = index_barrier, .xShmUnmap = unmap_index,
};

// MARK: The file system

static folder *find_folder(const char *path) {
    for (folder *found = folders; found != NULL; found = found->next) {
        size_t length = strlen(found->path);
        if (strncmp(path, found->path, length) == 0 && path[length] == '/') return found;
    }
    return NULL;
}

static int open_file(sqlite3_vfs *self, const char *path, sqlite3_file *handle, int flags, int *out) {
    (void)self;
    pthread_mutex_lock(&lock);
    folder *folder = path == NULL ? NULL : find_folder(path);
    pthread_mutex_unlock(&lock);
    // The files of other tests have the methods of the real file system.
    if (folder == NULL) return real_vfs->xOpen(real_vfs, path, handle, flags, out);
    file *file = (struct file *)handle;
    memset(file, 0, sizeof *file);
    file->real = calloc(1, real_vfs->szOsFile);
    int code = real_vfs->xOpen(real_vfs, path, file->real, flags, out);
    if (code != SQLITE_OK) {
        free(file->real);
        return code;
    }
    pthread_mutex_lock(&lock);
    file->folder = folder;
    file->image = find_image(folder, path);
    pthread_mutex_unlock(&lock);
    file->base.pMethods = &methods;
    return SQLITE_OK;
}

static void install(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "power cut";
    vfs.pNext = NULL;
    if (vfs.szOsFile < (int)sizeof(file)) vfs.szOsFile = sizeof(file);
    vfs.xOpen = open_file;
    sqlite3_vfs_register(&vfs, 1);
}

// MARK: Interface

void power_cut_watch(const char *path) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    folder *new = calloc(1, sizeof *new);
    new->path = strdup(path);
    pthread_mutex_lock(&lock);
    new->next = folders;
    folders = new;
    pthread_mutex_unlock(&lock);
}

void power_cut_unwatch(const char *path) {
    pthread_mutex_lock(&lock);
    for (folder **link = &folders; *link != NULL; link = &(*link)->next) {
        if (strcmp((*link)->path, path) != 0) continue;
        folder *old = *link;
        *link = old->next;
        while (old->images != NULL) {
            image *image = old->images;
            old->images = image->next;
            forget_operations(image);
            free(image->bytes);
            free(image);
        }
        free(old->copy);
        free(old->path);
        free(old);
        break;
    }
    pthread_mutex_unlock(&lock);
}

// Calls for a folder that is not watched are mistakes of the test.
static folder *locked_folder(const char *path) {
    pthread_mutex_lock(&lock);
    for (folder *found = folders; found != NULL; found = found->next)
        if (strcmp(found->path, path) == 0) return found;
    abort();
}

void power_cut_plan(const char *path, enum power_cut_fault fault, int64_t operations, const char *copy, uint64_t seed) {
    folder *folder = locked_folder(path);
    folder->fault = fault;
    folder->operations = operations;
    folder->seed = seed;
    free(folder->copy);
    folder->copy = strdup(copy);
    folder->has_begun = 0;
    folder->is_planned = 1;
    pthread_mutex_unlock(&lock);
}

int power_cut_happened(const char *path) {
    int has_begun = locked_folder(path)->has_begun;
    pthread_mutex_unlock(&lock);
    return has_begun;
}

void power_cut_now(const char *path, const char *copy, uint64_t seed) {
    cut(locked_folder(path), copy, seed);
    pthread_mutex_unlock(&lock);
}

void power_cut_clear(const char *path) {
    folder *folder = locked_folder(path);
    folder->is_planned = folder->has_begun = 0;
    pthread_mutex_unlock(&lock);
}
