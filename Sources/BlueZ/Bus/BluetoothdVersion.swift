/// The version of bluetoothd, by which the program avoids the faults of some versions.
///
/// bluetoothd has no property for the version. The `Modalias` of each adapter contains it, unless `DeviceID` in
/// main.conf is set (BlueZ, src/main.c: vendor 1D6B, product 0246, and the version of bluetoothd as the version of the
/// device).
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

    /// Whether bluetoothd keeps running when the kernel itself ends an attempt to connect; earlier versions crash.
    var survivesLongAttempts: Bool { self >= Self(5, 69) }

    /// Whether `Device1` has a signal with the reason for the end of a connection.
    var reportsDisconnectReasons: Bool { self >= Self(5, 83) }

    /// Whether AcquireNotify is reliable: bluetoothd always replies and does not crash.
    ///
    /// Before 5.84, StopNotify after AcquireNotify crashed bluetoothd (commit 476ae809a). 5.87 crashes (`free(): invalid
    /// pointer`) when a service is removed while one of its characteristics is acquired.
    var acquiresReliably: Bool { self >= Self(5, 84) && self < Self(5, 87) }
}
