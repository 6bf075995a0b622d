// SQLite.
#pragma once
#include <sqlite3.h>

// The macro SQLITE_TRANSIENT, with which SQLite copies a bound value, is not imported into Swift.
static inline int bluefleet_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int bluefleet_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

// sqlite3_config is variadic. Without these statistics, SQLite needs no lock for each allocation.
static inline int bluefleet_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// sqlite3_db_config is variadic.
static inline int bluefleet_disable_checkpoint_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
