// What org.bluez tells of its objects.
#pragma once
#include "fleet.h"

// As many links as an adapter may be given in the bridge's configuration.
enum { peripherals_per_adapter = 100 };

// ATT's, of each link.
enum { mtu = 247 };

// The properties of an object of a peripheral, `a{sv}`.
void append_interface(DBusMessageIter *outer, const char *interface, const peripheral *peripheral);

// The same with the interface's name, `a{sa{sv}}`.
void append_interfaces(DBusMessageIter *outer, const char *interface, const peripheral *peripheral);

// All objects, `a{oa{sa{sv}}}`: attributes only of peripherals that are connected.
void append_objects(DBusMessageIter *outer, const fleet *fleet);
