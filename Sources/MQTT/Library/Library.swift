import CMosquitto
import Glibc

/// The global state of libmosquitto, and its version.
enum Library {
    /// Initializes libmosquitto.
    ///
    /// Further calls do nothing. Any thread may call this function.
    ///
    /// `mosquitto_lib_cleanup` is never called: it frees data that OpenSSL shares with other users, and the process
    /// ends anyway.
    static func initialize() {
        _ = once
    }

    private static let once: Void = {
        // OpenSSL writes with write(2): a broker that closes the connection must not end the process.
        signal(SIGPIPE, SIG_IGN)
        mosquitto_lib_init()
    }()

    /// Whether libmosquitto reads a single packet at a time from its socket, as 2.0 does.
    ///
    /// 2.1 (Debian 14) reads up to 4 KiB, whatever packets they contain.
    static let readsSinglePackets = mosquitto_lib_version(nil, nil, nil) < 2_001_000
}

extension Client {
    /// The version of libmosquitto in use.
    package static var libraryVersion: String {
        var (major, minor, revision) = (Int32(0), Int32(0), Int32(0))
        mosquitto_lib_version(&major, &minor, &revision)
        return "\(major).\(minor).\(revision)"
    }
}
