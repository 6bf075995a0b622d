// An MQTT subscriber that counts the received values and their ages.
//
// It parses MQTT itself (3.1.1, QoS 0, many packets at a time): a client library would cost as much as the measured
// bridge.
#pragma once
#include <stdint.h>

typedef struct {
    int descriptor;
    // The number of received values.
    int64_t received;
    // The number of values that were not newer than the previous one of their topic.
    int64_t disordered;
    // The time at which the newest value was sent.
    uint32_t newest;
} listener;

// The ages of values, in microseconds.
typedef struct {
    uint32_t median, percentile99, greatest;
} ages;

// Returns the time of the values' clock, in microseconds modulo 2^32.
uint32_t microseconds(void);

// Connects and subscribes; ends the program on failure.
listener open_listener(int port, const char *topic);

// Reads the received packets; ends the program if the broker has closed the connection.
void listen_to_broker(listener *listener);

// Returns the ages since the previous call.
ages take_ages(void);
