// The symmetric ciphers of OpenSSL.
#include <openssl/evp.h>
