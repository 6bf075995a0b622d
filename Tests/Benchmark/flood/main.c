// flood BUS PORT PERIPHERALS UNMANAGED [EXTRA]: an org.bluez that sends notifications and advertisements as commanded on standard
// input, and an MQTT subscriber that receives the readings.
//
//   values RATE          values of all peripherals in turn, RATE per second in total; 0: as many as arrive at the
//                        subscriber, with at most 1,000 under way
//   advertisements RATE  the same for advertisements of unmanaged peripherals; 0: as many as the bus accepts
//   together COUNT       COUNT values at once; answers as `count` does when they have arrived
//   burst COUNT          COUNT values as fast as the bus accepts them
//   stop                 stops sending
//   count                answers `sent S received R disordered D`, about values
//   ages                 answers `median A percentile99 B greatest C`: the ages of the values that arrived since the
//                        previous `ages`, in microseconds
//
// It prints `ready`, and `subscribed N MICROSECONDS` (of the monotonic clock) when all peripherals are subscribed. A value
// begins with a little-endian uint32: the time at which it was sent, in microseconds modulo 2^32. All values are
// different. EXTRA constant bytes follow; the default is 0.
#define _GNU_SOURCE
#include "fleet.h"
#include "listener.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// In seconds: the time limit for subscriptions and for values sent together. Then SIGALRM ends the program.
enum { time_limit = 300 };

static fleet peripherals;
static listener subscriber;

// The kind of messages to send.
static enum { nothing, values, advertisements, values_together } kind;
// The number of values to send together.
static long together;
// The number of values left in a burst; 0 without a burst.
static long burst_rest;
// The maximum number of messages between two polls.
enum { batch = 64 };
// In nanoseconds: a sender that is later skips messages.
static const int64_t longest_delay = 100000000;
// Nanoseconds between two messages; 0 for the maximum rate.
static int64_t interval;
// The time of the next message, in nanoseconds.
static int64_t due;
static int64_t sent;
static int turn;
// The full socket; -1 if there is none.
static int full = -1;

// The times of the values that are under way, the oldest first.
enum { most_under_way = 1024 };
static uint32_t under_way[most_under_way];
static unsigned under_way_first, under_way_end;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// MARK: Sending

// Returns the time in microseconds; the same value is never returned twice.
static uint32_t stamp(void) {
    static uint32_t last;
    uint32_t time = microseconds();
    last = (int32_t)(time - last) > 0 || last == 0 ? time : last + 1;
    return last;
}

// Returns whether the value was sent. With a full socket, a flood waits; at a given rate the value is lost, as with
// bluetoothd.
static int send_value(void) {
    peripheral *peripheral = &peripherals.peripherals[turn % peripherals.count];
    uint32_t value = stamp();
    uint8_t bytes[4 + most_extra];
    int count = write_value(&peripherals, value, bytes);
    if (peripheral->socket < 0) {
        signal_value(&peripherals, peripheral, bytes, count);
    } else if (
        send(peripheral->socket, bytes, (size_t)count, MSG_NOSIGNAL) < 0 && errno == EAGAIN && interval == 0) {
        full = peripheral->socket;
        return 0;
    }
    if (under_way_end - under_way_first == most_under_way) under_way_first++;
    under_way[under_way_end++ % most_under_way] = value;
    sent++;
    return 1;
}

static int send_advertisement(void) {
    uint8_t bytes[24] = {5};
    uint32_t value = stamp();
    memcpy(bytes + 1, &value, sizeof value);
    signal_advertisement(
        &peripherals, &peripherals.unmanaged[turn % peripherals.unmanaged_count], (int16_t)(-90 + turn % 40), bytes,
        sizeof bytes);
    sent++;
    return 1;
}

static int send_one(void) {
    turn++;
    int is_sent = kind == advertisements ? send_advertisement() : send_value();
    if (is_sent && burst_rest > 0 && --burst_rest == 0) kind = nothing;
    return is_sent && kind != nothing;
}

// Removes the values that have arrived, and older values, which will not arrive.
static void forget_what_arrived(void) {
    while (under_way_first != under_way_end && subscriber.received > 0 &&
           (int32_t)(under_way[under_way_first % most_under_way] - subscriber.newest) <= 0) {
        under_way_first++;
    }
}

static int is_congested(void) {
    return dbus_connection_has_messages_to_send(peripherals.bus) || full >= 0 ||
           (kind == values && burst_rest == 0 && under_way_end - under_way_first >= most_under_way);
}

static void print_count(void) {
    printf("sent %ld received %ld disordered %ld\n", sent, subscriber.received, subscriber.disordered);
}

// Sends values together, and prints the count when they have arrived.
static void send_values_together(void) {
    for (; together > 0; together--) send_one();
    if (under_way_first != under_way_end) return;
    kind = nothing;
    alarm(0);
    print_count();
}

static void send_what_is_due(void) {
    full = -1;
    forget_what_arrived();
    if (kind == nothing) return;
    if (kind == values_together) return send_values_together();
    if (interval > 0) {
        // If the machine cannot keep up with the rate, late messages are skipped.
        if (now() - due > longest_delay) due = now();
        for (int count = 0; count < batch && due <= now(); count++, due += interval) send_one();
    } else {
        for (int count = 0; count < batch && !is_congested() && send_one(); count++) continue;
    }
}

// MARK: Commands

static void start(int64_t rate) {
    interval = rate > 0 ? 1000000000LL / rate : 0;
    due = now();
    burst_rest = 0;
    under_way_first = under_way_end;
}

static void execute(const char *line) {
    long rate;
    if (sscanf(line, "values %ld", &rate) == 1) {
        kind = values;
        start(rate);
    } else if (sscanf(line, "burst %ld", &rate) == 1 && rate > 0) {
        kind = values;
        start(0);
        burst_rest = rate;
    } else if (sscanf(line, "advertisements %ld", &rate) == 1) {
        kind = advertisements;
        start(rate);
    } else if (sscanf(line, "together %ld", &together) == 1) {
        kind = values_together;
        start(0);
        alarm(time_limit);
    } else if (strcmp(line, "stop") == 0) {
        kind = nothing;
    } else if (strcmp(line, "count") == 0) {
        print_count();
    } else if (strcmp(line, "ages") == 0) {
        ages found = take_ages();
        printf("median %u percentile99 %u greatest %u\n", found.median, found.percentile99, found.greatest);
    }
}

static void read_commands(void) {
    static char text[256];
    static size_t length;
    ssize_t count = read(STDIN_FILENO, text + length, sizeof text - 1 - length);
    if (count <= 0) exit(0);
    length += (size_t)count;
    text[length] = 0;
    char *line = text, *end;
    for (; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        execute(line);
    }
    length = strlen(line);
    memmove(text, line, length + 1);
}

// MARK: Loop

static void report_subscriptions(void) {
    static int is_reported;
    int is_complete = peripherals.count > 0 && peripherals.subscribed == peripherals.count;
    if (is_complete && !is_reported) {
        alarm(0);
        printf("subscribed %d %ld\n", peripherals.subscribed, (long)(now() / 1000));
    }
    is_reported = is_complete;
}

// Returns the nanoseconds until the next message; negative without one.
static int64_t time_to_next(void) {
    if (kind == nothing || kind == values_together) return -1;
    if (interval == 0) return is_congested() ? -1 : 0;
    int64_t rest = due - now();
    return rest > 0 ? rest : 0;
}

static void wait_for_something(void) {
    int descriptor = -1;
    dbus_connection_get_unix_fd(peripherals.bus, &descriptor);
    short wanted = dbus_connection_has_messages_to_send(peripherals.bus) ? POLLIN | POLLOUT : POLLIN;
    struct pollfd events[] = {
        {STDIN_FILENO, POLLIN, 0},
        {descriptor, wanted, 0},
        {subscriber.descriptor, POLLIN, 0},
        {full, POLLOUT, 0},
    };
    int64_t rest = time_to_next();
    struct timespec limit = {rest / 1000000000, rest % 1000000000};
    ppoll(events, 4, rest < 0 ? NULL : &limit, NULL);
    if (events[0].revents) read_commands();
    if (events[1].revents && !dbus_connection_read_write(peripherals.bus, 0)) exit(0);
    if (events[2].revents) listen_to_broker(&subscriber);
}

int main(int count, char **arguments) {
    int extra = count == 6 ? atoi(arguments[5]) : 0;
    if (count < 5 || count > 6 || extra < 0 || extra > most_extra) {
        fprintf(stderr, "usage: flood BUS PORT PERIPHERALS UNMANAGED [EXTRA]\n");
        return 64;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    // Otherwise timers are up to 50 µs late.
    prctl(PR_SET_TIMERSLACK, 1);
    peripherals = open_fleet(arguments[1], atoi(arguments[3]), atoi(arguments[4]), extra);
    subscriber = open_listener(atoi(arguments[2]), "bluefleet/+/temperature");
    dbus_connection_add_filter(peripherals.bus, answer, &peripherals, NULL);
    printf("ready\n");
    alarm(time_limit);
    for (;;) {
        while (dbus_connection_dispatch(peripherals.bus) == DBUS_DISPATCH_DATA_REMAINS) continue;
        report_subscriptions();
        send_what_is_due();
        wait_for_something();
    }
}
