#include "objects.h"
#include "values.h"
#include <stdio.h>
#include <string.h>

#define SERVICE_UUID "0000181a-0000-1000-8000-00805f9b34fb"
#define CHARACTERISTIC_UUID "b1f70001-5f1e-4c7d-9a52-0c1f1e57f00d"

static void append_adapter(DBusMessageIter *outer, int number) {
    static const char *const roles[] = {"central"};
    char address[18];
    snprintf(address, sizeof address, "00:11:22:33:44:%02X", number & 255);
    properties list = open_properties(outer);
    put_text(&list, "Address", address);
    put_text(&list, "AddressType", "public");
    put_text(&list, "Name", "flood");
    put_text(&list, "Alias", "flood");
    put_flag(&list, "Powered", TRUE);
    put_flag(&list, "Discovering", FALSE);
    put_texts(&list, "Roles", roles, 1);
    put_texts(&list, "UUIDs", NULL, 0);
    close_properties(&list);
}

static void append_device(DBusMessageIter *outer, const peripheral *peripheral) {
    static const char *const services[] = {SERVICE_UUID};
    properties list = open_properties(outer);
    put_text(&list, "Address", peripheral->address);
    put_text(&list, "AddressType", "random");
    put_text(&list, "Name", "Sensor");
    put_text(&list, "Alias", "Sensor");
    put_path(&list, "Adapter", peripheral->adapter);
    put_flag(&list, "Paired", FALSE);
    put_flag(&list, "Trusted", FALSE);
    put_flag(&list, "Blocked", FALSE);
    put_flag(&list, "Connected", peripheral->is_connected);
    put_flag(&list, "ServicesResolved", peripheral->is_connected);
    put_texts(&list, "UUIDs", services, 1);
    put_int16(&list, "RSSI", -60);
    close_properties(&list);
}

static void append_service(DBusMessageIter *outer, const peripheral *peripheral) {
    properties list = open_properties(outer);
    put_text(&list, "UUID", SERVICE_UUID);
    put_path(&list, "Device", peripheral->path);
    put_flag(&list, "Primary", TRUE);
    close_properties(&list);
}

static void append_characteristic(DBusMessageIter *outer, const peripheral *peripheral) {
    static const char *const flags[] = {"read", "notify"};
    properties list = open_properties(outer);
    put_text(&list, "UUID", CHARACTERISTIC_UUID);
    put_path(&list, "Service", peripheral->service);
    put_texts(&list, "Flags", flags, 2);
    put_flag(&list, "Notifying", peripheral->is_signalled || peripheral->socket >= 0);
    put_uint16(&list, "MTU", mtu);
    close_properties(&list);
}

void append_interface(DBusMessageIter *outer, const char *interface, const peripheral *peripheral) {
    if (strcmp(interface, "org.bluez.GattService1") == 0) {
        append_service(outer, peripheral);
    } else if (strcmp(interface, "org.bluez.GattCharacteristic1") == 0) {
        append_characteristic(outer, peripheral);
    } else {
        append_device(outer, peripheral);
    }
}

void append_interfaces(DBusMessageIter *outer, const char *interface, const peripheral *peripheral) {
    DBusMessageIter array, entry;
    dbus_message_iter_open_container(outer, DBUS_TYPE_ARRAY, "{sa{sv}}", &array);
    dbus_message_iter_open_container(&array, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &interface);
    append_interface(&entry, interface, peripheral);
    dbus_message_iter_close_container(&array, &entry);
    dbus_message_iter_close_container(outer, &array);
}

static void append_adapters(DBusMessageIter *objects, const fleet *fleet) {
    const char *interface = "org.bluez.Adapter1";
    for (int number = 0; number * peripherals_per_adapter < fleet->count; number++) {
        char name[24];
        const char *path = name;
        DBusMessageIter object, array, entry;
        snprintf(name, sizeof name, "/org/bluez/hci%d", number);
        dbus_message_iter_open_container(objects, DBUS_TYPE_DICT_ENTRY, NULL, &object);
        dbus_message_iter_append_basic(&object, DBUS_TYPE_OBJECT_PATH, &path);
        dbus_message_iter_open_container(&object, DBUS_TYPE_ARRAY, "{sa{sv}}", &array);
        dbus_message_iter_open_container(&array, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
        dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &interface);
        append_adapter(&entry, number);
        dbus_message_iter_close_container(&array, &entry);
        dbus_message_iter_close_container(&object, &array);
        dbus_message_iter_close_container(objects, &object);
    }
}

static void append_object(
    DBusMessageIter *objects, const char *path, const char *interface, const peripheral *peripheral) {
    DBusMessageIter entry;
    dbus_message_iter_open_container(objects, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_OBJECT_PATH, &path);
    append_interfaces(&entry, interface, peripheral);
    dbus_message_iter_close_container(objects, &entry);
}

void append_objects(DBusMessageIter *outer, const fleet *fleet) {
    DBusMessageIter objects;
    dbus_message_iter_open_container(outer, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &objects);
    append_adapters(&objects, fleet);
    for (int index = 0; index < fleet->count; index++) {
        const peripheral *peripheral = &fleet->peripherals[index];
        append_object(&objects, peripheral->path, "org.bluez.Device1", peripheral);
        if (!peripheral->is_connected) continue;
        append_object(&objects, peripheral->service, "org.bluez.GattService1", peripheral);
        append_object(&objects, peripheral->characteristic, "org.bluez.GattCharacteristic1", peripheral);
    }
    for (int index = 0; index < fleet->unmanaged_count; index++) {
        append_object(&objects, fleet->unmanaged[index].path, "org.bluez.Device1", &fleet->unmanaged[index]);
    }
    dbus_message_iter_close_container(outer, &objects);
}
