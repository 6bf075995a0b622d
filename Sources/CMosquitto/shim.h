// libmosquitto and the constants of MQTT 5.
#pragma once
#include <mosquitto.h>
// In libmosquitto 2.1, the older of the two names only warns.
#if __has_include(<mosquitto/mqtt_protocol.h>)
#include <mosquitto/mqtt_protocol.h>
#else
#include <mqtt_protocol.h>
#endif

// Functions of OpenSSL, which libmosquitto uses for TLS: they return why a certificate was rejected
// (SSL_get_verify_result(3)).
long SSL_get_verify_result(const void *session);
const char *X509_verify_cert_error_string(long result);

// Functions of OpenSSL that read the broker's records one at a time: SSL_peek(3), BIO_s_mem(3), SSL_set0_rbio(3).
int SSL_is_init_finished(const void *session);
int SSL_peek(void *session, void *buffer, int count);
int SSL_read(void *session, void *buffer, int count);
int SSL_write(void *session, const void *buffer, int count);
void SSL_set0_rbio(void *session, void *bio);
void ERR_clear_error(void);
void *BIO_new(const void *method);
const void *BIO_s_mem(void);
int BIO_write(void *bio, const void *data, int count);
long BIO_ctrl(void *bio, int command, long number, void *pointer);

// A function of the GNU C library that <unistd.h> declares only with _GNU_SOURCE (dup(2)).
int dup3(int descriptor, int number, int flags);
