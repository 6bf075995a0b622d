// libmosquitto and the constants of MQTT 5.
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>

// Functions of OpenSSL, which libmosquitto uses for TLS: they return why a certificate was rejected
// (SSL_get_verify_result(3)).
long SSL_get_verify_result(const void *session);
const char *X509_verify_cert_error_string(long result);
