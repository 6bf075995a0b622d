#define _GNU_SOURCE
#include "fleet.h"
#include "objects.h"
#include "values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char properties_interface[] = "org.freedesktop.DBus.Properties";
static const char manager_interface[] = "org.freedesktop.DBus.ObjectManager";

// MARK: Objects

static void name_peripheral(peripheral *peripheral, int kind, int number) {
    int high = number >> 8 & 255, low = number & 255;
    snprintf(
        peripheral->adapter, sizeof peripheral->adapter, "/org/bluez/hci%d",
        kind == 0xC0 ? number / peripherals_per_adapter : 0);
    snprintf(peripheral->address, sizeof peripheral->address, "%02X:00:00:00:%02X:%02X", kind, high, low);
    snprintf(
        peripheral->path, sizeof peripheral->path, "%s/dev_%02X_00_00_00_%02X_%02X", peripheral->adapter, kind, high,
        low);
    snprintf(peripheral->service, sizeof peripheral->service, "%s/service0010", peripheral->path);
    snprintf(peripheral->characteristic, sizeof peripheral->characteristic, "%s/char0011", peripheral->service);
    peripheral->socket = -1;
}

static peripheral *make_peripherals(int kind, int count) {
    peripheral *list = calloc((size_t)count + 1, sizeof *list);
    for (int index = 0; list && index < count; index++) name_peripheral(&list[index], kind, index);
    return list;
}

fleet open_fleet(const char *address, int count, int unmanaged_count, int extra) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_connection_open_private(address, &error);
    if (!bus || !dbus_bus_register(bus, &error) ||
        dbus_bus_request_name(bus, "org.bluez", DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
            DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
        fprintf(stderr, "flood: cannot own org.bluez on %s: %s\n", address, error.message ? error.message : "taken");
        exit(69);
    }
    return (fleet){
        .bus = bus,
        .peripherals = make_peripherals(0xC0, count),
        .count = count,
        .extra = extra,
        .unmanaged = make_peripherals(0xD0, unmanaged_count),
        .unmanaged_count = unmanaged_count,
    };
}

static peripheral *find(fleet *fleet, const char *path) {
    // …/dev_C0_00_00_00_HH_LL, and the objects below it.
    unsigned kind, high, low;
    if (sscanf(path, "/org/bluez/hci%*u/dev_%2X_00_00_00_%2X_%2X", &kind, &high, &low) != 3) return NULL;
    int number = (int)(high << 8 | low);
    if (kind == 0xC0 && number < fleet->count) return &fleet->peripherals[number];
    if (kind == 0xD0 && number < fleet->unmanaged_count) return &fleet->unmanaged[number];
    return NULL;
}

// MARK: Signals

static void send_and_forget(fleet *fleet, DBusMessage *message) {
    dbus_connection_send(fleet->bus, message, NULL);
    dbus_message_unref(message);
}

static DBusMessage *begin_change(const char *path, const char *interface, DBusMessageIter *outer) {
    DBusMessage *message = dbus_message_new_signal(path, properties_interface, "PropertiesChanged");
    dbus_message_iter_init_append(message, outer);
    dbus_message_iter_append_basic(outer, DBUS_TYPE_STRING, &interface);
    return message;
}

static void signal_flag(fleet *fleet, const char *path, const char *interface, const char *name, dbus_bool_t flag) {
    DBusMessageIter outer;
    DBusMessage *message = begin_change(path, interface, &outer);
    properties list = open_properties(&outer);
    put_flag(&list, name, flag);
    close_properties(&list);
    append_no_texts(&outer);
    send_and_forget(fleet, message);
}

static void signal_added(fleet *fleet, const char *path, const char *interface, const peripheral *peripheral) {
    DBusMessageIter outer;
    DBusMessage *message = dbus_message_new_signal("/", manager_interface, "InterfacesAdded");
    dbus_message_iter_init_append(message, &outer);
    dbus_message_iter_append_basic(&outer, DBUS_TYPE_OBJECT_PATH, &path);
    append_interfaces(&outer, interface, peripheral);
    send_and_forget(fleet, message);
}

int write_value(const fleet *fleet, uint32_t number, uint8_t bytes[4 + most_extra]) {
    for (int index = 0; index < 4; index++) bytes[index] = number >> (8 * index) & 255;
    for (int index = 0; index < fleet->extra; index++) bytes[4 + index] = (uint8_t)(40 + index);
    return 4 + fleet->extra;
}

void signal_value(fleet *fleet, const peripheral *peripheral, const uint8_t *bytes, int count) {
    DBusMessageIter outer;
    DBusMessage *message = begin_change(peripheral->characteristic, "org.bluez.GattCharacteristic1", &outer);
    properties list = open_properties(&outer);
    put_bytes(&list, "Value", bytes, count);
    close_properties(&list);
    append_no_texts(&outer);
    send_and_forget(fleet, message);
}

void signal_advertisement(
    fleet *fleet, const peripheral *sender, int16_t strength, const uint8_t *bytes, int count) {
    DBusMessageIter outer;
    DBusMessage *message = begin_change(sender->path, "org.bluez.Device1", &outer);
    properties list = open_properties(&outer);
    put_int16(&list, "RSSI", strength);
    put_company_bytes(&list, "ManufacturerData", 0x0499, bytes, count);
    close_properties(&list);
    append_no_texts(&outer);
    send_and_forget(fleet, message);
}

// MARK: Calls

static void connect_peripheral(fleet *fleet, peripheral *peripheral) {
    if (peripheral->is_connected) return;
    peripheral->is_connected = TRUE;
    signal_flag(fleet, peripheral->path, "org.bluez.Device1", "Connected", TRUE);
    signal_added(fleet, peripheral->service, "org.bluez.GattService1", peripheral);
    signal_added(fleet, peripheral->characteristic, "org.bluez.GattCharacteristic1", peripheral);
    signal_flag(fleet, peripheral->path, "org.bluez.Device1", "ServicesResolved", TRUE);
}

static void end_notifications(fleet *fleet, peripheral *peripheral) {
    if (peripheral->is_signalled || peripheral->socket >= 0) fleet->subscribed--;
    if (peripheral->socket >= 0) close(peripheral->socket);
    peripheral->socket = -1;
    peripheral->is_signalled = FALSE;
}

static void disconnect_peripheral(fleet *fleet, peripheral *peripheral) {
    if (!peripheral->is_connected) return;
    end_notifications(fleet, peripheral);
    peripheral->is_connected = FALSE;
    signal_flag(fleet, peripheral->path, "org.bluez.Device1", "ServicesResolved", FALSE);
    signal_flag(fleet, peripheral->path, "org.bluez.Device1", "Connected", FALSE);
}

static void start_notifying(fleet *fleet, peripheral *peripheral) {
    if (!peripheral->is_signalled) fleet->subscribed++;
    peripheral->is_signalled = TRUE;
    signal_flag(fleet, peripheral->characteristic, "org.bluez.GattCharacteristic1", "Notifying", TRUE);
}

static void append_socket(fleet *fleet, peripheral *peripheral, DBusMessage *reply) {
    int ends[2];
    uint16_t packet = mtu;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return;
    end_notifications(fleet, peripheral);
    peripheral->socket = ends[0];
    fleet->subscribed++;
    dbus_message_append_args(reply, DBUS_TYPE_UNIX_FD, &ends[1], DBUS_TYPE_UINT16, &packet, DBUS_TYPE_INVALID);
    close(ends[1]);
}

static void append_property(DBusMessageIter *outer, const char *name, const peripheral *peripheral) {
    DBusMessageIter variant;
    dbus_bool_t flag = TRUE;
    if (peripheral && strcmp(name, "Notifying") == 0) flag = peripheral->is_signalled || peripheral->socket >= 0;
    if (peripheral && strcmp(name, "Connected") == 0) flag = peripheral->is_connected;
    dbus_message_iter_open_container(outer, DBUS_TYPE_VARIANT, "b", &variant);
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_BOOLEAN, &flag);
    dbus_message_iter_close_container(outer, &variant);
}

static void append_first_value(DBusMessageIter *outer, const fleet *fleet) {
    uint8_t value[4 + most_extra];
    const uint8_t *bytes = value;
    int count = write_value(fleet, 0, value);
    DBusMessageIter array;
    dbus_message_iter_open_container(outer, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &bytes, count);
    dbus_message_iter_close_container(outer, &array);
}

DBusHandlerResult answer(DBusConnection *bus, DBusMessage *message, void *of_fleet) {
    fleet *fleet = of_fleet;
    if (dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    const char *member = dbus_message_get_member(message);
    const char *interface = "", *name = "";
    peripheral *peripheral = find(fleet, dbus_message_get_path(message));
    dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
    if (!*interface) dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_INVALID);

    DBusMessageIter outer;
    DBusMessage *reply = dbus_message_new_method_return(message);
    dbus_message_iter_init_append(reply, &outer);
    if (strcmp(member, "GetManagedObjects") == 0) append_objects(&outer, fleet);
    if (peripheral && strcmp(member, "GetAll") == 0) append_interface(&outer, interface, peripheral);
    if (strcmp(member, "Get") == 0) append_property(&outer, name, peripheral);
    if (strcmp(member, "ReadValue") == 0) append_first_value(&outer, fleet);
    if (strcmp(member, "Introspect") == 0) {
        const char *nothing = "<node/>";
        dbus_message_iter_append_basic(&outer, DBUS_TYPE_STRING, &nothing);
    }
    if (peripheral) {
        if (strcmp(member, "Connect") == 0) connect_peripheral(fleet, peripheral);
        if (strcmp(member, "Disconnect") == 0) disconnect_peripheral(fleet, peripheral);
        if (strcmp(member, "StartNotify") == 0) start_notifying(fleet, peripheral);
        if (strcmp(member, "StopNotify") == 0) end_notifications(fleet, peripheral);
        if (strcmp(member, "AcquireNotify") == 0) append_socket(fleet, peripheral, reply);
    }
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}
