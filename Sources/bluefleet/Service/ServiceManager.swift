internal import EventLoop
internal import Glibc

/// systemd, as a service of `Type=notify` sees it: it is told how the service is doing, over a socket.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3).
struct ServiceManager {
    /// Where it listens; nil when we are no service.
    private let address: [UInt8]?
    /// How often it wants to hear of us; nil where it does not watch.
    let watchdogInterval: Duration?

    /// Takes what the environment says, and takes it away: it is meant for this process and not for its children.
    init() {
        func take(_ name: String) -> String? {
            let value = unsafe getenv(name).map { unsafe String(cString: $0) }
            unsafe unsetenv(name)
            return value
        }
        let path = take("NOTIFY_SOCKET")
        let interval = take("WATCHDOG_USEC").flatMap { Int64($0) }
        let process = take("WATCHDOG_PID").flatMap { Int32($0) }
        // An @ stands for the NUL with which abstract addresses begin.
        address = path.flatMap { path in
            guard path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
            return [path.hasPrefix("@") ? 0 : UInt8(ascii: "/")] + path.utf8.dropFirst()
        }
        watchdogInterval = interval.flatMap { $0 > 0 && process ?? getpid() == getpid() ? .microseconds($0) : nil }
    }

    /// The service is up, or up again after it has read its configuration.
    func tellReady(_ status: String) {
        send("READY=1\nSTATUS=\(status)")
    }

    /// The configuration is being read again.
    func tellReloading() {
        send("RELOADING=1")
    }

    func tellStopping() {
        send("STOPPING=1\nSTATUS=stopping")
    }

    /// The loop still turns.
    func tellAlive(_ status: String) {
        send((watchdogInterval == nil ? "" : "WATCHDOG=1\n") + "STATUS=\(status)")
    }

    private func send(_ message: String) {
        guard let address else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: name.sun_path)
        guard address.count < capacity else { return }
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + address.count)
        let bytes = Array(message.utf8)
        unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                // Never wait for a manager that does not listen: it is the one who waits for us.
                _ = unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), pointer, length)
            }
        }
    }
}
