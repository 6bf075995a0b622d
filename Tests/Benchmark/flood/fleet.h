// A fleet of peripherals as bluetoothd shows it, each with one service and one characteristic that notifies.
#pragma once
#include <dbus/dbus.h>
#include <stdint.h>

typedef struct {
    char address[18];
    char adapter[24];
    char path[64];
    char service[80];
    char characteristic[96];
    dbus_bool_t is_connected;
    // StartNotify: values go out as signals.
    dbus_bool_t is_signalled;
    // AcquireNotify: values go out through this socket; -1 without.
    int socket;
} peripheral;

typedef struct {
    DBusConnection *bus;
    peripheral *peripherals;
    int count;
    // How many are subscribed to.
    int subscribed;
    // Devices that nobody asked for, and that advertise.
    peripheral *strangers;
    int stranger_count;
} fleet;

// Takes the name org.bluez; ends the program where that cannot be.
fleet open_fleet(const char *bus, int count, int stranger_count);

// Answers a method call; nothing else is taken.
DBusHandlerResult answer(DBusConnection *bus, DBusMessage *message, void *of_fleet);

// Tells that a characteristic has a new value.
void signal_value(fleet *fleet, const peripheral *peripheral, const uint8_t *bytes, int count);

// Tells that a device was heard.
void signal_advertisement(fleet *fleet, const peripheral *stranger, int16_t strength, const uint8_t *bytes, int count);
