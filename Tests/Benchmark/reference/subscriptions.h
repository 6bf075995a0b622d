// The characteristics that the reference is subscribed to.
#pragma once
#include <dbus/dbus.h>

typedef struct {
    char path[96];
    char topic[40];
    // AcquireNotify's; -1 where values come as signals.
    int socket;
} subscription;

// Connects to each device of org.bluez, and subscribes to each characteristic that it then has.
void subscribe_to_all(DBusConnection *bus, int by_descriptors);

// The one with this path; NULL: none.
const subscription *find_subscription(const char *path);

int subscription_count(void);
const subscription *subscription_at(int index);
