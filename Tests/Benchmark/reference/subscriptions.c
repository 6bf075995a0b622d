#include "subscriptions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { capacity = 4096 };

static subscription *subscriptions;
static int subscribed;
// The index plus one, by the hash of the path; 0 for an empty place.
static int places[capacity * 2];

static unsigned hash(const char *text) {
    unsigned value = 2166136261;
    for (; *text; text++) value = (value ^ (unsigned char)*text) * 16777619;
    return value % (capacity * 2);
}

const subscription *find_subscription(const char *path) {
    for (unsigned place = hash(path); places[place]; place = (place + 1) % (capacity * 2)) {
        const subscription *candidate = &subscriptions[places[place] - 1];
        if (strcmp(candidate->path, path) == 0) return candidate;
    }
    return NULL;
}

int subscription_count(void) { return subscribed; }
const subscription *subscription_at(int index) { return &subscriptions[index]; }

// MARK: Calls

static DBusMessage *call(DBusConnection *bus, const char *path, const char *interface, const char *member) {
    DBusMessage *message = dbus_message_new_method_call("org.bluez", path, interface, member);
    DBusMessageIter arguments, options;
    dbus_message_iter_init_append(message, &arguments);
    if (strcmp(member, "AcquireNotify") == 0) {
        dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
        dbus_message_iter_close_container(&arguments, &options);
    }
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, message, 30000, NULL);
    dbus_message_unref(message);
    if (reply) return reply;
    fprintf(stderr, "reference: %s of %s failed\n", member, path);
    exit(69);
}

static void subscribe(DBusConnection *bus, const char *path, int by_descriptors) {
    subscription *added = &subscriptions[subscribed++];
    unsigned high = 0, low = 0;
    sscanf(path, "/org/bluez/hci%*u/dev_C0_00_00_00_%2X_%2X", &high, &low);
    snprintf(added->path, sizeof added->path, "%s", path);
    snprintf(added->topic, sizeof added->topic, "bluefleet/d%04u/temperature", high << 8 | low);
    added->socket = -1;
    unsigned place = hash(path);
    while (places[place]) place = (place + 1) % (capacity * 2);
    places[place] = subscribed;

    const char *member = by_descriptors ? "AcquireNotify" : "StartNotify";
    DBusMessage *reply = call(bus, path, "org.bluez.GattCharacteristic1", member);
    if (by_descriptors) dbus_message_get_args(reply, NULL, DBUS_TYPE_UNIX_FD, &added->socket, DBUS_TYPE_INVALID);
    dbus_message_unref(reply);
}

// Calls `body` with the path of each object that has an interface.
static void for_each_object(
    DBusConnection *bus, const char *wanted, void (*body)(DBusConnection *bus, const char *path, int option),
    int option) {
    DBusMessage *reply = call(bus, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects");
    DBusMessageIter arguments, objects;
    dbus_message_iter_init(reply, &arguments);
    dbus_message_iter_recurse(&arguments, &objects);
    for (; dbus_message_iter_get_arg_type(&objects) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&objects)) {
        DBusMessageIter object, interfaces, entry;
        const char *path, *interface;
        dbus_message_iter_recurse(&objects, &object);
        dbus_message_iter_get_basic(&object, &path);
        dbus_message_iter_next(&object);
        dbus_message_iter_recurse(&object, &interfaces);
        dbus_message_iter_recurse(&interfaces, &entry);
        dbus_message_iter_get_basic(&entry, &interface);
        // Unmanaged peripherals have another kind of address.
        if (strcmp(interface, wanted) == 0 && strstr(path, "/dev_C0_")) body(bus, path, option);
    }
    dbus_message_unref(reply);
}

static void connect_device(DBusConnection *bus, const char *path, int option) {
    (void)option;
    dbus_message_unref(call(bus, path, "org.bluez.Device1", "Connect"));
}

void subscribe_to_all(DBusConnection *bus, int by_descriptors) {
    subscriptions = calloc(capacity, sizeof *subscriptions);
    for_each_object(bus, "org.bluez.Device1", connect_device, 0);
    for_each_object(bus, "org.bluez.GattCharacteristic1", subscribe, by_descriptors);
}
