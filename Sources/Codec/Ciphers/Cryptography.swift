internal import CCrypto

/// What does the arithmetic of the ciphers.
package enum Cryptography {
    /// The version of OpenSSL that is in use.
    package static var libraryVersion: String {
        unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
    }
}
