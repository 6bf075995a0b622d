import EventLoop
import Glibc

/// The notification socket of systemd for a service with `Type=notify`.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3).
struct ServiceManager {
    /// The address of the socket; nil if the process is not a systemd service.
    private let address: [UInt8]?
    /// The interval of the watchdog; nil if it is disabled.
    let watchdogInterval: Duration?

    /// Reads and removes the variables of systemd, which must not be inherited by child processes.
    init() {
        func take(_ name: String) -> String? {
            let value = unsafe getenv(name).map { unsafe String(cString: $0) }
            unsafe unsetenv(name)
            return value
        }
        let path = take("NOTIFY_SOCKET")
        let interval = take("WATCHDOG_USEC").flatMap { Int64($0) }
        let process = take("WATCHDOG_PID").flatMap { Int32($0) }
        // An @ represents the NUL at the beginning of an abstract address.
        address = path.flatMap { path in
            guard path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
            return [path.hasPrefix("@") ? 0 : UInt8(ascii: "/")] + path.utf8.dropFirst()
        }
        watchdogInterval = interval.flatMap { $0 > 0 && process ?? getpid() == getpid() ? .microseconds($0) : nil }
    }

    /// Reports that the service is ready, after a start or a reload.
    func reportReady(_ status: String) {
        send("READY=1\nSTATUS=\(status)")
    }

    /// Reports the start of a reload.
    func reportReloading() {
        send("RELOADING=1")
    }

    /// Reports that the service is stopping.
    func reportStopping() {
        send("STOPPING=1\nSTATUS=stopping")
    }

    /// Reports the status and triggers the watchdog.
    func reportAlive(_ status: String) {
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
                // Without blocking: systemd can be waiting for this process.
                _ = unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), pointer, length)
            }
        }
    }
}
