// reference BUS PORT signals|descriptors QOS PAUSE: a minimal bridge with libdbus and libmosquitto.
//
// It connects to all peripherals of org.bluez, subscribes to all their characteristics, and publishes each value
// as bluefleet/dNNNN/temperature, retained, by MQTT 5. One thread, one epoll, no recovery from errors. A value has one
// field in four bytes, or four fields in eight bytes.
//
// PAUSE: the milliseconds for which the bus collects messages before they are read; 0 for none.
#define _GNU_SOURCE
#include "subscriptions.h"
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct mosquitto *broker;
static int quality_of_service;
static int epoll;

// MARK: A value, from its bytes to the broker

// The end of a payload, for snprintf.
#define TIME_FORMAT "\"time\":\"%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ\"}"
#define TIME_ARGUMENTS(utc, nanoseconds)                                                                               \
    (utc).tm_year + 1900, (utc).tm_mon + 1, (utc).tm_mday, (utc).tm_hour, (utc).tm_min, (utc).tm_sec,                  \
        (nanoseconds) / 1000000

static void publish(const subscription *subscription, const uint8_t *bytes, int count) {
    if (count != 4 && count != 8) return;
    uint32_t value = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    struct timespec time;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &time);
    gmtime_r(&time.tv_sec, &utc);
    char payload[256];
    int length;
    if (count == 4) {
        length = snprintf(
            payload, sizeof payload, "{\"value\":%u.%02u,\"unit\":\"°C\"," TIME_FORMAT, value / 100, value % 100,
            TIME_ARGUMENTS(utc, time.tv_nsec));
    } else {
        unsigned pressure = bytes[5] | (unsigned)bytes[6] << 8;
        length = snprintf(
            payload, sizeof payload,
            "{\"value\":%u.%02u,\"humidity\":%u,\"pressure\":%u.%u,\"battery\":%u," TIME_FORMAT, value / 100,
            value % 100, bytes[4], pressure / 10, pressure % 10, bytes[7], TIME_ARGUMENTS(utc, time.tv_nsec));
    }
    mosquitto_publish_v5(broker, NULL, subscription->topic, length, payload, quality_of_service, true, NULL);
}

static DBusHandlerResult receive(DBusConnection *bus, DBusMessage *message, void *data) {
    (void)bus, (void)data;
    if (!dbus_message_is_signal(message, "org.freedesktop.DBus.Properties", "PropertiesChanged")) {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    }
    const subscription *subscription = find_subscription(dbus_message_get_path(message));
    if (!subscription) return DBUS_HANDLER_RESULT_HANDLED;
    DBusMessageIter arguments, changes;
    dbus_message_iter_init(message, &arguments);
    dbus_message_iter_next(&arguments);
    dbus_message_iter_recurse(&arguments, &changes);
    for (; dbus_message_iter_get_arg_type(&changes) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&changes)) {
        DBusMessageIter entry, variant, array;
        const char *name;
        const uint8_t *bytes;
        int count;
        dbus_message_iter_recurse(&changes, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        if (strcmp(name, "Value") != 0) continue;
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        dbus_message_iter_recurse(&variant, &array);
        dbus_message_iter_get_fixed_array(&array, &bytes, &count);
        publish(subscription, bytes, count);
    }
    return DBUS_HANDLER_RESULT_HANDLED;
}

static void receive_packets(const subscription *subscription) {
    uint8_t bytes[512];
    ssize_t count;
    while ((count = recv(subscription->socket, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
        publish(subscription, bytes, (int)count);
    }
}

// MARK: Loop

static void watch(int descriptor, uint32_t events, const void *whose) {
    struct epoll_event event = {.events = events, .data.ptr = (void *)whose};
    if (epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) != 0) epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

// libdbus's watch for reading; messages are written when they are sent.
static dbus_bool_t add_watch(DBusWatch *watch, void *reading) {
    if (dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE) *(DBusWatch **)reading = watch;
    return TRUE;
}

static void remove_watch(DBusWatch *watch, void *reading) {
    (void)watch, (void)reading;
}

static void handle(const struct epoll_event *event, DBusConnection *bus, DBusWatch *reading) {
    const void *whose = event->data.ptr;
    if (whose == bus) {
        dbus_watch_handle(reading, DBUS_WATCH_READABLE);
        while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) continue;
    } else if (whose == broker) {
        if (event->events & EPOLLIN) mosquitto_loop_read(broker, 1);
        if (event->events & EPOLLOUT) mosquitto_loop_write(broker, 1);
    } else {
        receive_packets(whose);
    }
}

static void run(DBusConnection *bus, int pause) {
    DBusWatch *reading = NULL;
    dbus_connection_set_watch_functions(bus, add_watch, remove_watch, NULL, &reading, NULL);
    watch(dbus_watch_get_unix_fd(reading), EPOLLIN, bus);
    watch(mosquitto_socket(broker), EPOLLIN, broker);
    int is_writing = 0;
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(epoll, events, 64, 1000);
        if (count == 0) mosquitto_loop_misc(broker);
        if (count > 0 && pause > 0) {
            usleep((useconds_t)pause * 1000);
            count = epoll_wait(epoll, events, 64, 0);
        }
        while (count > 0) {
            for (int index = 0; index < count; index++) handle(&events[index], bus, reading);
            // All collected messages: libdbus reads a limited amount at a time.
            count = pause > 0 ? epoll_wait(epoll, events, 64, 0) : 0;
        }
        if (mosquitto_want_write(broker) != is_writing) {
            is_writing = !is_writing;
            watch(mosquitto_socket(broker), is_writing ? EPOLLIN | EPOLLOUT : EPOLLIN, broker);
        }
    }
}

// MARK: Start

static void connect_to_broker(int port) {
    mosquitto_lib_init();
    broker = mosquitto_new("reference", true, NULL);
    mosquitto_int_option(broker, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(broker, MOSQ_OPT_TCP_NODELAY, 1);
    if (mosquitto_connect(broker, "127.0.0.1", port, 60) != MOSQ_ERR_SUCCESS) {
        fprintf(stderr, "reference: no broker on port %d\n", port);
        exit(69);
    }
}

static DBusConnection *connect_to_bus(const char *address) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_connection_open_private(address, &error);
    if (!bus || !dbus_bus_register(bus, &error)) {
        fprintf(stderr, "reference: no bus at %s: %s\n", address, error.message);
        exit(69);
    }
    return bus;
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "usage: reference BUS PORT signals|descriptors QOS PAUSE\n");
        return 64;
    }
    quality_of_service = atoi(arguments[4]);
    connect_to_broker(atoi(arguments[2]));
    DBusConnection *bus = connect_to_bus(arguments[1]);
    dbus_connection_add_filter(bus, receive, NULL, NULL);
    dbus_bus_add_match(
        bus,
        "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',"
        "path_namespace='/org/bluez'",
        NULL);
    subscribe_to_all(bus, strcmp(arguments[3], "descriptors") == 0);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int index = 0; index < subscription_count(); index++) {
        const subscription *subscription = subscription_at(index);
        if (subscription->socket >= 0) watch(subscription->socket, EPOLLIN, subscription);
    }
    run(bus, atoi(arguments[5]));
}
