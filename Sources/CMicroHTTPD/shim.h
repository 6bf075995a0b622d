// libmicrohttpd.
#pragma once
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/types.h>
#include <microhttpd.h>

// Creates the descriptor that ends a wait of a connection's thread; -1 if the process has none left.
static inline int bluefleet_http_gate(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// Waits until the gate is open, or until the client has closed the connection. Returns whether the client is there.
static inline int bluefleet_http_wait(int gate, int client, int milliseconds) {
    // POLLRDHUP, which <poll.h> declares only with _GNU_SOURCE (poll(2)).
    const short closed = 0x2000;
    struct pollfd both[2] = {{gate, POLLIN, 0}, {client, closed, 0}};
    (void)poll(both, 2, milliseconds);
    return both[1].revents == 0;
}

// The server decodes the parts of the request target itself: libmicrohttpd would cut them at an encoded NUL.
static inline size_t bluefleet_keep_encoding(void *owner, struct MHD_Connection *connection, char *text) {
    (void)owner;
    (void)connection;
    return strlen(text);
}

// The limits of the connections of a listener.
struct bluefleet_http_limits {
    unsigned int connections;
    unsigned int connections_per_address;
    // In seconds.
    unsigned int idle_time;
    // The memory for the headers of a request and its response, in bytes.
    size_t header_size;
    size_t stack_size;
};

// MHD_start_daemon is variadic. Each connection has a thread: suspended connections can delay others in 0.9.75 and 1.0.1.
static inline struct MHD_Daemon *bluefleet_http_start(
    int socket, void *owner, struct bluefleet_http_limits limits, MHD_AccessHandlerCallback access,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback changed) {
    // MHD_OPTION_STRICT_FOR_CLIENT; later versions have marked this name as deprecated.
    const enum MHD_OPTION strict = (enum MHD_OPTION)29;
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL,
        access, owner, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_per_address, MHD_OPTION_CONNECTION_TIMEOUT,
        limits.idle_time, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.header_size, MHD_OPTION_THREAD_STACK_SIZE,
        limits.stack_size, strict, 1, MHD_OPTION_UNESCAPE_CALLBACK, bluefleet_keep_encoding, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, owner, MHD_OPTION_NOTIFY_CONNECTION, changed, owner, MHD_OPTION_END);
}

// MHD_set_connection_option is variadic. Zero: no limit.
static inline void bluefleet_http_set_idle_time(struct MHD_Connection *connection, unsigned int seconds) {
    (void)MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

// MHD_get_connection_info is variadic. Returns -1 if the socket is not known.
static inline int bluefleet_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

// Returns NULL if the address is not known.
static inline const struct sockaddr *bluefleet_http_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? (const struct sockaddr *)info->client_addr : NULL;
}

// Swift gives the members of these enumerations other names, depending on the attributes in the header.
static const enum MHD_Result bluefleet_http_no = MHD_NO;
static const enum MHD_Result bluefleet_http_yes = MHD_YES;

// Calls `body` with each header field, and then with each parameter of the query.
static inline void bluefleet_http_each_field(
    struct MHD_Connection *connection, MHD_KeyValueIteratorN body, void *owner) {
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, body, owner);
    MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, body, owner);
}

static inline int bluefleet_http_is_header(enum MHD_ValueKind kind) {
    return kind == MHD_HEADER_KIND;
}

static inline int bluefleet_http_is_start(enum MHD_ConnectionNotificationCode change) {
    return change == MHD_CONNECTION_NOTIFY_STARTED;
}

static inline struct MHD_Response *bluefleet_http_response(size_t count, const void *bytes) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
