/// The version of bluetoothd; the faults of some versions must be avoided.
///
/// bluetoothd has no property for it, but each adapter's `Modalias` contains it, unless `DeviceID` in main.conf is set (BlueZ,
/// src/main.c: 1D6B:0246 with the version as that of the device).
struct BluetoothdVersion: Hashable, Comparable, Sendable {
    let major: UInt8
    let minor: UInt8

    init(_ major: UInt8, _ minor: UInt8) {
        self.major = major
        self.minor = minor
    }

    /// - Parameter modalias: For example `usb:v1D6Bp0246d0542`, which is 5.66.
    init?(modalias: String) {
        let prefix = "usb:v1D6Bp0246d"
        guard modalias.hasPrefix(prefix), let number = UInt16(modalias.dropFirst(prefix.utf8.count), radix: 16) else {
            return nil
        }
        self.init(UInt8(number >> 8), UInt8(number & 0xFF))
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// Whether it survives the end of an attempt to connect that the kernel ends by itself.
    var survivesLongAttempts: Bool { self >= Self(5, 69) }

    /// Whether `Device1` has a signal with the reason for the end of a connection.
    var reportsDisconnectReasons: Bool { self >= Self(5, 83) }

    /// Whether AcquireNotify is reliable: it always gets a reply, and does not crash bluetoothd (commit 476ae809a).
    var acquiresReliably: Bool { self >= Self(5, 84) }
}
