// libcurl, which is not linked: the program loads it when it calls a server, so that most gateways need no such package.
#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

// The functions of the loaded library.
struct bluefleet_curl {
    void *init;
    void *cleanup;
    void *setopt;
    void *getinfo;
    void *perform;
    void *append;
    void *free_list;
    void *describe;
};

// Loads the library; returns whether it has all functions. Debian has two of them, which differ in their TLS library.
static inline bool bluefleet_curl_load(struct bluefleet_curl *curl) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    curl->init = dlsym(library, "curl_easy_init");
    curl->cleanup = dlsym(library, "curl_easy_cleanup");
    curl->setopt = dlsym(library, "curl_easy_setopt");
    curl->getinfo = dlsym(library, "curl_easy_getinfo");
    curl->perform = dlsym(library, "curl_easy_perform");
    curl->append = dlsym(library, "curl_slist_append");
    curl->free_list = dlsym(library, "curl_slist_free_all");
    curl->describe = dlsym(library, "curl_easy_strerror");
    CURLcode (*initialize)(long) = (CURLcode(*)(long))dlsym(library, "curl_global_init");
    return curl->init && curl->cleanup && curl->setopt && curl->getinfo && curl->perform && curl->append
        && curl->free_list && curl->describe && initialize && initialize(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

// Returns NULL if there is no memory.
static inline void *bluefleet_curl_open(const struct bluefleet_curl *curl) {
    return ((CURL * (*)(void)) curl->init)();
}

static inline void bluefleet_curl_close(const struct bluefleet_curl *curl, void *handle) {
    ((void (*)(CURL *))curl->cleanup)(handle);
}

// A POST request with a body in JSON.
struct bluefleet_curl_request {
    const char *url;
    const char *body;
    size_t size;
    // The value of the field Authorization; NULL: none.
    const char *authorization;
    // The file of the certificate authorities; NULL: those of the system.
    const char *authorities;
    // The time limit.
    long milliseconds;
};

// Sends a request and calls `receive` with the parts of the response. Returns NULL, or why there is no response.
static inline const char *bluefleet_curl_post(
    const struct bluefleet_curl *curl, void *handle, const struct bluefleet_curl_request *request,
    size_t (*receive)(char *, size_t, size_t, void *), void *owner, long *status) {
    CURLcode (*set)(CURL *, CURLoption, ...) = (CURLcode(*)(CURL *, CURLoption, ...))curl->setopt;
    struct curl_slist *(*append)(struct curl_slist *, const char *) =
        (struct curl_slist * (*)(struct curl_slist *, const char *)) curl->append;
    struct curl_slist *fields = append(NULL, "Content-Type: application/json");
    // Without the empty field, libcurl would wait for the server before it sends a long body.
    fields = append(fields, "Expect:");
    if (request->authorization) {
        char field[2048] = "Authorization: ";
        size_t length = 0, start = sizeof("Authorization: ") - 1;
        while (request->authorization[length] && start + length + 1 < sizeof(field)) {
            field[start + length] = request->authorization[length];
            length++;
        }
        fields = append(fields, field);
    }
    set(handle, CURLOPT_URL, request->url);
    set(handle, CURLOPT_HTTPHEADER, fields);
    set(handle, CURLOPT_POSTFIELDS, request->body);
    set(handle, CURLOPT_POSTFIELDSIZE, (long)request->size);
    set(handle, CURLOPT_WRITEFUNCTION, receive);
    set(handle, CURLOPT_WRITEDATA, owner);
    set(handle, CURLOPT_TIMEOUT_MS, request->milliseconds);
    // Signals belong to the loop.
    set(handle, CURLOPT_NOSIGNAL, 1L);
    // The nodes are in the local network.
    set(handle, CURLOPT_PROXY, "");
    if (request->authorities) set(handle, CURLOPT_CAINFO, request->authorities);
    CURLcode code = ((CURLcode(*)(CURL *))curl->perform)(handle);
    ((CURLcode(*)(CURL *, CURLINFO, ...))curl->getinfo)(handle, CURLINFO_RESPONSE_CODE, status);
    set(handle, CURLOPT_HTTPHEADER, (struct curl_slist *)NULL);
    ((void (*)(struct curl_slist *))curl->free_list)(fields);
    return code == CURLE_OK ? NULL : ((const char *(*)(CURLcode))curl->describe)(code);
}
