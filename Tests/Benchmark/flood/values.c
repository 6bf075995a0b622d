#include "values.h"

properties open_properties(DBusMessageIter *outer) {
    properties list = {.outer = outer};
    dbus_message_iter_open_container(outer, DBUS_TYPE_ARRAY, "{sv}", &list.entries);
    return list;
}

void close_properties(properties *list) { dbus_message_iter_close_container(list->outer, &list->entries); }

static void put_basic(properties *list, const char *name, int type, const void *value) {
    const char signature[] = {(char)type, 0};
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(&list->entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_append_basic(&variant, type, value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&list->entries, &entry);
}

void put_text(properties *list, const char *name, const char *text) { put_basic(list, name, DBUS_TYPE_STRING, &text); }

void put_path(properties *list, const char *name, const char *path) {
    put_basic(list, name, DBUS_TYPE_OBJECT_PATH, &path);
}

void put_flag(properties *list, const char *name, dbus_bool_t flag) {
    put_basic(list, name, DBUS_TYPE_BOOLEAN, &flag);
}

void put_int16(properties *list, const char *name, int16_t number) { put_basic(list, name, DBUS_TYPE_INT16, &number); }

void put_uint16(properties *list, const char *name, uint16_t number) {
    put_basic(list, name, DBUS_TYPE_UINT16, &number);
}

void put_texts(properties *list, const char *name, const char *const *texts, int count) {
    DBusMessageIter entry, variant, array;
    dbus_message_iter_open_container(&list->entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &array);
    for (int index = 0; index < count; index++) {
        dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, &texts[index]);
    }
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&list->entries, &entry);
}

static void append_bytes(DBusMessageIter *entry, const uint8_t *bytes, int count) {
    DBusMessageIter variant, array;
    dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, "ay", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &bytes, count);
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(entry, &variant);
}

void put_bytes(properties *list, const char *name, const uint8_t *bytes, int count) {
    DBusMessageIter entry;
    dbus_message_iter_open_container(&list->entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    append_bytes(&entry, bytes, count);
    dbus_message_iter_close_container(&list->entries, &entry);
}

void put_company_bytes(properties *list, const char *name, uint16_t company, const uint8_t *bytes, int count) {
    DBusMessageIter entry, variant, companies, item;
    dbus_message_iter_open_container(&list->entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "a{qv}", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "{qv}", &companies);
    dbus_message_iter_open_container(&companies, DBUS_TYPE_DICT_ENTRY, NULL, &item);
    dbus_message_iter_append_basic(&item, DBUS_TYPE_UINT16, &company);
    append_bytes(&item, bytes, count);
    dbus_message_iter_close_container(&companies, &item);
    dbus_message_iter_close_container(&variant, &companies);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&list->entries, &entry);
}

void append_no_texts(DBusMessageIter *outer) {
    DBusMessageIter array;
    dbus_message_iter_open_container(outer, DBUS_TYPE_ARRAY, "s", &array);
    dbus_message_iter_close_container(outer, &array);
}
