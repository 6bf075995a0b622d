// A subscriber that counts what the broker hands on, and how old it is.
//
// MQTT is read by hand (3.1.1, QoS 0, many packets at a time): a client library would cost as much as what is measured.
#pragma once
#include <stdint.h>

typedef struct {
    int descriptor;
    // How many values came, over all.
    int64_t received;
    // How many of them were not newer than the one before on their topic.
    int64_t disordered;
    // When the newest of them was sent.
    uint32_t newest;
} listener;

// What the ages of the values are, in microseconds, since this was asked the last time.
typedef struct {
    uint32_t median, percentile99, greatest;
} ages;

// Microseconds, modulo 2^32: the clock by which values are stamped.
uint32_t microseconds(void);

// Connects and subscribes; ends the program where that cannot be.
listener open_listener(int port, const char *topic);

// Takes what has come; ends the program when the broker has gone.
void listen_to_broker(listener *listener);

ages take_ages(void);
