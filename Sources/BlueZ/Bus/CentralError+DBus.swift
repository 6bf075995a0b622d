import Bluetooth
import DBus

extension CentralError {
    /// Creates an error from an error of bluetoothd or of the bus.
    ///
    /// The name of the error is checked before the text, because the texts differ between versions (BlueZ, src/error.c
    /// and src/gatt-client.c).
    ///
    /// - Parameters:
    ///   - error: The error of bluetoothd or of the bus.
    ///   - object: The peripheral, characteristic or adapter.
    ///   - action: The operation that failed, e.g. `connect`.
    init(_ error: DBusError, _ object: String, doing action: String) {
        let code: Code
        var message = "\(action) failed: \(error)"
        switch error.name {
        case DBusError.noReply:
            code = .timeout
            message = "\(action): no reply in time"
        case DBusError.disconnected, DBusError.serviceUnknown, DBusError.nameHasNoOwner, BlueZError.notReady:
            code = .unavailable
        case DBusError.accessDenied, DBusError.authenticationFailed:
            code = .unauthorized
            message += "; allow this user to call org.bluez in the D-Bus policy"
        case DBusError.unknownObject, DBusError.unknownMethod: code = .notFound
        case BlueZError.inProgress: code = .inProgress
        case BlueZError.notConnected: code = .peripheralDisconnected
        case BlueZError.notSupported: code = .notSupported
        case BlueZError.notPermitted, BlueZError.notAuthorized, BlueZError.invalidArguments,
            BlueZError.invalidOffset, BlueZError.invalidValueLength:
            code = Self.rejection(error)
        default:
            if let (failure, advice) = Self.pairingFailure(error) {
                code = failure
                message = "\(action): \(advice)"
            } else {
                code = Self.failure(error)
            }
        }
        if code == .connectionFailed, Self.isOfClassic(error) { message += ": \(Self.classicAdvice)" }
        if code == .bondLost { message = "\(action): \(Self.bondLossAdvice)" }
        if code == .notPaired { message = "\(action): the peripheral requires a bond: pair with it" }
        if case .att(let error) = code {
            message = "\(action): \(error.meaning) (ATT error \(error.code.hexadecimal)): \(error.advice)"
        }
        self.init(code, object, message)
    }

    /// Returns the code of an error that bluetoothd reports by name and text, without the number of the ATT error.
    private static func rejection(_ error: DBusError) -> Code {
        switch (error.name, error.message) {
        case (_, "Not paired"): .notPaired
        case (_, "Read not permitted"): .att(ATTError(code: 0x02))
        case (_, "Write not permitted"): .att(ATTError(code: 0x03))
        case (BlueZError.notAuthorized, _): .att(ATTError(code: 0x08))
        case (_, "Invalid offset"), (BlueZError.invalidOffset, _): .att(ATTError(code: 0x07))
        case (_, "Invalid Length"), (BlueZError.invalidValueLength, _): .att(ATTError(code: 0x0D))
        default: .failed
        }
    }

    static let bondLossAdvice =
        """
        the peripheral no longer has the keys of the bond: unpair it, switch it to its pairing mode, and pair with it \
        again
        """

    /// Returns the code and the advice for a pairing that failed (BlueZ, src/device.c, new_authentication_return).
    private static func pairingFailure(_ error: DBusError) -> (Code, advice: String)? {
        switch error.name {
        case BlueZError.authenticationFailed:
            (
                .pairingFailed,
                "rejected by the peripheral: switch it to its pairing mode; if it has or shows a passkey, enter that"
            )
        case BlueZError.authenticationRejected:
            (
                .pairingFailed,
                "rejected: the peripheral's question was not answered, or the two devices show different numbers"
            )
        case BlueZError.authenticationCanceled:
            (.pairingFailed, "another program cancelled it: stop that program, and try again")
        case BlueZError.authenticationTimeout:
            (.timeout, "not completed in time: the peripheral's questions must be answered within 30 s")
        case BlueZError.connectionAttemptFailed:
            (.connectionFailed, "the peripheral could not be reached: move it nearer and wake it up")
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
        // bluetoothd 5.62 and later report the first text for every LE connect that failed, whatever the cause.
        case "le-connection-abort-by-local", "br-connection-canceled": .connectionFailed
        case "br-connection-adapter-not-powered": .unavailable
        // Reported since bluetoothd 5.83.
        case "le-connection-key-missing", "br-connection-key-missing": .bondLost
        default: isOfClassic(error) ? .connectionFailed : .failed
        }
    }

    /// Returns whether bluetoothd has tried Bluetooth Classic (error names since 5.84, texts since 5.62; src/error.c).
    private static func isOfClassic(_ error: DBusError) -> Bool {
        let isClassic =
            error.name.hasPrefix(BlueZError.classicPrefix) || error.message.hasPrefix("br-connection-")
        return isClassic && error.message != "br-connection-canceled"
    }

    private static let classicAdvice =
        "bluetoothd has tried Bluetooth Classic: set ControllerMode = le in /etc/bluetooth/main.conf and restart it"
}

extension UInt8 {
    /// The byte in hexadecimal digits, for example `0x0e`.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return "0x" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
}
