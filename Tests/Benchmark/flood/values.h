// Functions that append values to D-Bus messages.
#pragma once
#include <dbus/dbus.h>
#include <stdint.h>

// A dictionary `a{sv}` in a message under construction.
typedef struct {
    DBusMessageIter *outer;
    DBusMessageIter entries;
} properties;

properties open_properties(DBusMessageIter *outer);
void close_properties(properties *list);

void put_text(properties *list, const char *name, const char *text);
void put_path(properties *list, const char *name, const char *path);
void put_flag(properties *list, const char *name, dbus_bool_t flag);
void put_int16(properties *list, const char *name, int16_t number);
void put_uint16(properties *list, const char *name, uint16_t number);
void put_texts(properties *list, const char *name, const char *const *texts, int count);
void put_bytes(properties *list, const char *name, const uint8_t *bytes, int count);
// Appends manufacturer data of one company, `a{qv}`.
void put_company_bytes(properties *list, const char *name, uint16_t company, const uint8_t *bytes, int count);

// Appends the empty list of invalidated properties of PropertiesChanged.
void append_no_texts(DBusMessageIter *outer);
