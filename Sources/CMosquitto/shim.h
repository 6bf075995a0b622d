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
