internal import CMosquitto
internal import Glibc

/// libmosquitto as a whole.
enum Library {
    /// Makes the library ready; as often as one likes, from any thread.
    ///
    /// It is never cleaned up: that would free what OpenSSL shares with whoever else uses it, just before the system
    /// frees everything anyway.
    static func initialize() {
        _ = once
    }

    private static let once: Void = {
        // OpenSSL writes with write(2): a broker that hangs up must not end the program.
        signal(SIGPIPE, SIG_IGN)
        mosquitto_lib_init()
    }()
}
