/// Which bluetoothd it is, where faults of some versions have to be kept away from.
///
/// It tells nobody outright; but each adapter's `Modalias` carries it, unless main.conf's `DeviceID` says something else
/// (BlueZ, src/main.c: 1D6B:0246 with the version as the device's).
struct BluetoothdVersion: Hashable, Comparable, Sendable {
    let major: UInt8
    let minor: UInt8

    init(_ major: UInt8, _ minor: UInt8) {
        self.major = major
        self.minor = minor
    }

    /// - Parameter modalias: such as `usb:v1D6Bp0246d0542`, which is 5.66.
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

    /// Whether it survives the end of an attempt to connect that the kernel gives up.
    var survivesLongAttempts: Bool { self >= Self(5, 69) }

    /// Whether `Device1` has a signal that says why a link has gone.
    var explainsDisconnects: Bool { self >= Self(5, 83) }

    /// Whether AcquireNotify can be trusted: it is answered whatever happens, and does not crash it (commit 476ae809a).
    var acquiresReliably: Bool { self >= Self(5, 84) }
}
