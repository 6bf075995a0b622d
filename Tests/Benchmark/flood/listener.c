#include "listener.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_ages = 1 << 22, most_topics = 1 << 14 };
static uint32_t seen_ages[most_ages];
static int age_count;
static uint32_t newest_by_topic[most_topics];

uint32_t microseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint32_t)(time.tv_sec * 1000000LL + time.tv_nsec / 1000);
}

// MARK: Values

static int is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

// Returns the first number of a text, in hundredths.
static uint32_t hundredths(const uint8_t *text, const uint8_t *end) {
    uint64_t value = 0;
    int decimals = 0, is_fraction = 0;
    while (text < end && !is_digit(*text)) text++;
    for (; text < end && (is_digit(*text) || *text == '.'); text++) {
        if (*text == '.') {
            is_fraction = 1;
        } else {
            value = value * 10 + (uint64_t)(*text - '0');
            decimals += is_fraction;
        }
    }
    for (; decimals < 2; decimals++) value *= 10;
    return (uint32_t)value;
}

static void take_value(listener *listener, const uint8_t *topic, const uint8_t *payload, const uint8_t *end) {
    uint32_t sent = hundredths(payload, end);
    uint32_t *newest = &newest_by_topic[hundredths(topic, payload) / 100 % most_topics];
    if (*newest != 0 && (int32_t)(sent - *newest) <= 0) listener->disordered++;
    *newest = sent;
    if (listener->received == 0 || (int32_t)(sent - listener->newest) > 0) listener->newest = sent;
    if (age_count < most_ages) seen_ages[age_count++] = microseconds() - sent;
    listener->received++;
}

static int by_age(const void *left, const void *right) {
    uint32_t first = *(const uint32_t *)left, second = *(const uint32_t *)right;
    return (first > second) - (first < second);
}

ages take_ages(void) {
    qsort(seen_ages, (size_t)age_count, sizeof *seen_ages, by_age);
    ages found = {0, 0, 0};
    if (age_count > 0) {
        found = (ages){seen_ages[age_count / 2], seen_ages[age_count * 99LL / 100], seen_ages[age_count - 1]};
    }
    age_count = 0;
    return found;
}

// MARK: Packets

// Handles the complete packets of the buffer, and returns their number of bytes.
static size_t take_packets(listener *listener, const uint8_t *bytes, size_t count) {
    size_t used = 0;
    while (count - used >= 2) {
        const uint8_t *packet = bytes + used;
        size_t length = 0, header = 1;
        for (int shift = 0;; shift += 7) {
            if (used + header >= count) return used;
            length |= (size_t)(packet[header] & 127) << shift;
            if (!(packet[header++] & 128)) break;
        }
        if (count - used < header + length) return used;
        const uint8_t *topic = packet + header + 2;
        if (packet[0] >> 4 == 3) take_value(listener, topic, topic + (topic[-2] << 8 | topic[-1]), topic + length - 2);
        used += header + length;
    }
    return used;
}

void listen_to_broker(listener *listener) {
    static uint8_t buffer[1 << 18];
    static size_t length;
    ssize_t count = read(listener->descriptor, buffer + length, sizeof buffer - length);
    if (count <= 0) exit(0);
    length += (size_t)count;
    size_t used = take_packets(listener, buffer, length);
    memmove(buffer, buffer + used, length - used);
    length -= used;
}

// MARK: Connection

listener open_listener(int port, const char *topic) {
    static const uint8_t hello[] = {0x10, 17, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 5, 'f', 'l', 'o', 'o', 'd'};
    uint8_t request[128] = {0x82, (uint8_t)(strlen(topic) + 5), 0, 1, 0, (uint8_t)strlen(topic)};
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    memcpy(request + 6, topic, strlen(topic));
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
        write(descriptor, hello, sizeof hello) < 0 || write(descriptor, request, strlen(topic) + 7) < 0) {
        fprintf(stderr, "flood: no broker on port %d\n", port);
        exit(69);
    }
    return (listener){.descriptor = descriptor};
}
