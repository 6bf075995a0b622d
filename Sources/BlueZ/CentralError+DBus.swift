internal import Bluetooth
internal import DBus

extension CentralError {
    /// What an error of bluetoothd or of the bus means.
    ///
    /// The names come first: the texts have changed between versions. (BlueZ, src/error.c and src/gatt-client.c.)
    init(_ error: DBusError, _ object: String, doing what: String) {
        let code: Code
        var message = "\(what) failed: \(error)"
        switch error.name {
        case DBusError.noReply:
            code = .timeout
            message = "\(what): no answer in time"
        case DBusError.disconnected, DBusError.serviceUnknown, DBusError.nameHasNoOwner, "org.bluez.Error.NotReady":
            code = .unavailable
        case DBusError.accessDenied, DBusError.authenticationFailed:
            code = .unauthorized
            message += "; let this user talk to org.bluez in the D-Bus policy"
        case DBusError.unknownObject, DBusError.unknownMethod: code = .notFound
        case "org.bluez.Error.InProgress": code = .inProgress
        case "org.bluez.Error.NotConnected": code = .peripheralDisconnected
        case "org.bluez.Error.NotSupported": code = .notSupported
        case "org.bluez.Error.NotPermitted", "org.bluez.Error.NotAuthorized", "org.bluez.Error.InvalidArguments",
            "org.bluez.Error.InvalidOffset", "org.bluez.Error.InvalidValueLength":
            code = Self.refusal(error)
        default:
            if let (failure, advice) = Self.pairingFailure(error) {
                code = failure
                message = "\(what): \(advice)"
            } else {
                code = Self.failure(error)
            }
        }
        if code == .connectionFailed, Self.isOfClassic(error) { message += ": \(Self.classicAdvice)" }
        if code == .bondLost { message = "\(what): \(Self.bondLossAdvice)" }
        if code == .notPaired { message = "\(what): it wants a bond first: pair with it" }
        if case .att(let error) = code {
            message = "\(what): \(error.meaning) (ATT error \(error.code.hexadecimal)): \(error.advice)"
        }
        self.init(code, object, message)
    }

    /// bluetoothd tells these ATT errors by name only.
    private static func refusal(_ error: DBusError) -> Code {
        switch (error.name, error.message) {
        case (_, "Not paired"): .notPaired
        case (_, "Read not permitted"): .att(ATTError(code: 0x02))
        case (_, "Write not permitted"): .att(ATTError(code: 0x03))
        case ("org.bluez.Error.NotAuthorized", _): .att(ATTError(code: 0x08))
        case (_, "Invalid offset"), ("org.bluez.Error.InvalidOffset", _): .att(ATTError(code: 0x07))
        case (_, "Invalid Length"), ("org.bluez.Error.InvalidValueLength", _): .att(ATTError(code: 0x0D))
        default: .failed
        }
    }

    static let bondLossAdvice =
        "it does not know the keys of the bond any more: unpair it, put it into its pairing mode, and pair with it again"

    /// How a pairing ends that does not succeed (BlueZ, src/device.c, new_authentication_return).
    private static func pairingFailure(_ error: DBusError) -> (Code, advice: String)? {
        switch error.name {
        case "org.bluez.Error.AuthenticationFailed":
            (
                .pairingFailed,
                "the peripheral refused: put it into its pairing mode; if it has or shows a passkey, give that"
            )
        case "org.bluez.Error.AuthenticationRejected":
            (.pairingFailed, "refused: it asked for what was not answered, or the numbers were not the same")
        case "org.bluez.Error.AuthenticationCanceled":
            (.pairingFailed, "broken off: the link was lost, or somebody cancelled it; try again from nearer by")
        case "org.bluez.Error.AuthenticationTimeout":
            (.timeout, "not completed in time: what the peripheral asks for must be done within 30 s")
        case "org.bluez.Error.ConnectionAttemptFailed":
            (.connectionFailed, "it could not be reached: bring it nearer, and wake it up")
        default: nil
        }
    }

    private static func failure(_ error: DBusError) -> Code {
        let prefix = "Operation failed with ATT error: 0x"
        if error.message.hasPrefix(prefix), let code = UInt8(error.message.dropFirst(prefix.count), radix: 16) {
            return .att(ATTError(code: code))
        }
        return switch error.message {
        case "Not connected": .peripheralDisconnected
        case "Operation already in progress", "In Progress": .inProgress
        // The first is what 5.62 and later say of every LE connect that failed, whatever the cause.
        case "le-connection-abort-by-local", "br-connection-canceled": .connectionFailed
        case "br-connection-adapter-not-powered": .unavailable
        // Since 5.83.
        case "le-connection-key-missing", "br-connection-key-missing": .bondLost
        default: isOfClassic(error) ? .connectionFailed : .failed
        }
    }

    /// Whether bluetoothd has tried the other kind of Bluetooth (names since 5.84, texts since 5.62; src/error.c).
    private static func isOfClassic(_ error: DBusError) -> Bool {
        let isClassic = error.name.hasPrefix("org.bluez.Error.BREDR.") || error.message.hasPrefix("br-connection-")
        return isClassic && error.message != "br-connection-canceled"
    }

    private static let classicAdvice =
        "bluetoothd has tried Bluetooth Classic: set ControllerMode = le in /etc/bluetooth/main.conf and restart it"
}

extension UInt8 {
    /// `0x0e`
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return "0x" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
}
