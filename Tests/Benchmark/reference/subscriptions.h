// The subscriptions of the reference.
#pragma once
#include <dbus/dbus.h>

typedef struct {
    char path[96];
    char topic[40];
    // The descriptor of AcquireNotify; -1 if values arrive as signals.
    int socket;
} subscription;

// Connects to each device of org.bluez, and subscribes to each of its characteristics.
void subscribe_to_all(DBusConnection *bus, int by_descriptors);

// Returns the subscription with this path, or NULL.
const subscription *find_subscription(const char *path);

int subscription_count(void);
const subscription *subscription_at(int index);
