import Bluetooth
import DBus

/// The errors of bluetoothd, with its texts (BlueZ 5.66, src/error.c and src/gatt-client.c).
enum BlueZError {
    static let invalidArguments = error("InvalidArguments", "Invalid arguments in method call")
    static let inProgress = error("InProgress", "In Progress")
    /// The error of StartDiscovery.
    static let discoveryInProgress = error("InProgress", alreadyInProgress)
    /// The error of Connect and Pair during a connection attempt, before bluetoothd 5.81.
    static let linkInProgress = failed(alreadyInProgress)
    private static let alreadyInProgress = "Operation already in progress"
    static let alreadyExists = error("AlreadyExists", "Already Exists")
    static let notSupported = error("NotSupported", "Operation is not supported")
    static let notConnected = error("NotConnected", "Not Connected")
    static let doesNotExist = error("DoesNotExist", "Does Not Exist")
    static let notAuthorized = error("NotAuthorized", "Operation Not Authorized")
    static let notReady = error("NotReady", "Resource Not Ready")
    static let busy = error("Busy", "")
    static let profileUnavailable = failed("br-connection-profile-unavailable")
    static let blocked = error("Blocked", "Blocked through rfkill")
    static let authenticationFailed = error("AuthenticationFailed", "Authentication Failed")
    static let authenticationRejected = error("AuthenticationRejected", "Authentication Rejected")
    static let authenticationCanceled = error("AuthenticationCanceled", "Authentication Canceled")

    // bluetoothd returns this error for every failed LE connection, regardless of the cause.
    static let connectionAborted = failed("le-connection-abort-by-local")
    static let connectionCanceled = failed("br-connection-canceled")
    static let operationFailed = failed("Operation failed")
    static let linkMissing = failed("Not connected")

    static func failed(_ text: String) -> DBusError { error("Failed", text) }

    static func notPermitted(_ text: String) -> DBusError { error("NotPermitted", text) }

    private static func error(_ name: String, _ text: String) -> DBusError {
        DBusError("org.bluez.Error.\(name)", text)
    }
}

extension DBusError {
    /// Converts a peripheral's error response as bluetoothd does (`create_gatt_dbus_error`).
    init(_ error: ATTError) {
        switch error.code {
        case 0x02: self = BlueZError.notPermitted("Read not permitted")
        case 0x03: self = BlueZError.notPermitted("Write not permitted")
        case 0x05, 0x0C, 0x0F: self = BlueZError.notPermitted("Not paired")
        case 0x06: self = BlueZError.notSupported
        case 0x07: self = DBusError(BlueZError.invalidArguments.name, "Invalid offset")
        case 0x08: self = BlueZError.notAuthorized
        case 0x0D: self = DBusError(BlueZError.invalidArguments.name, "Invalid Length")
        default:
            let digits = String(error.code, radix: 16)
            self = BlueZError.failed(
                "Operation failed with ATT error: 0x\(digits.count == 1 ? "0" : "")\(digits)")
        }
    }
}
