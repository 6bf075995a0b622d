// The properties of the objects of org.bluez.
#pragma once
#include "fleet.h"

// The maximum number of connections per adapter in the bridge's configuration.
enum { peripherals_per_adapter = 100 };

// The ATT MTU of each connection.
enum { mtu = 247 };

// Appends the properties of an object, `a{sv}`.
void append_interface(DBusMessageIter *outer, const char *interface, const peripheral *peripheral);

// Appends the properties with the interface's name, `a{sa{sv}}`.
void append_interfaces(DBusMessageIter *outer, const char *interface, const peripheral *peripheral);

// Appends all objects, `a{oa{sa{sv}}}`; attributes of connected peripherals only.
void append_objects(DBusMessageIter *outer, const fleet *fleet);
