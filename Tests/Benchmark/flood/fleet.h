// A fleet of peripherals as bluetoothd exports it, each with one service and one characteristic with notifications.
#pragma once
#include <dbus/dbus.h>
#include <stdint.h>

// The maximum of the bytes after the time: a value fits into a notification at the ATT MTU.
enum { most_extra = 240 };

typedef struct {
    char address[18];
    char adapter[24];
    char path[64];
    char service[80];
    char characteristic[96];
    dbus_bool_t is_connected;
    // After StartNotify: values are sent as signals.
    dbus_bool_t is_signalled;
    // The socket of AcquireNotify, for the values; -1 without.
    int socket;
} peripheral;

typedef struct {
    DBusConnection *bus;
    peripheral *peripherals;
    int count;
    // The number of subscribed peripherals.
    int subscribed;
    // The bytes of a value after the four of its time.
    int extra;
    // Unmanaged peripherals, which advertise.
    peripheral *unmanaged;
    int unmanaged_count;
} fleet;

// Acquires the name org.bluez; ends the program on failure.
fleet open_fleet(const char *bus, int count, int unmanaged_count, int extra);

// Answers method calls; ignores other messages.
DBusHandlerResult answer(DBusConnection *bus, DBusMessage *message, void *of_fleet);

// Writes a value: a little-endian number, and then the bytes 40, 41, ... Returns its length.
int write_value(const fleet *fleet, uint32_t number, uint8_t bytes[4 + most_extra]);

// Signals a new value of a characteristic.
void signal_value(fleet *fleet, const peripheral *peripheral, const uint8_t *bytes, int count);

// Signals an advertisement of a device.
void signal_advertisement(fleet *fleet, const peripheral *sender, int16_t strength, const uint8_t *bytes, int count);
