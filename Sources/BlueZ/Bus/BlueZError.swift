/// The names of bluetoothd's errors on the bus.
///
/// Source: BlueZ, src/error.c and src/device.c.
enum BlueZError {
    /// The prefix of all errors that bluetoothd itself sends.
    static let prefix = "org.bluez."
    static let alreadyExists = "org.bluez.Error.AlreadyExists"
    static let authenticationCanceled = "org.bluez.Error.AuthenticationCanceled"
    static let authenticationFailed = "org.bluez.Error.AuthenticationFailed"
    static let authenticationRejected = "org.bluez.Error.AuthenticationRejected"
    static let authenticationTimeout = "org.bluez.Error.AuthenticationTimeout"
    static let blocked = "org.bluez.Error.Blocked"
    /// The prefix of the errors about Bluetooth Classic (since 5.84).
    static let classicPrefix = "org.bluez.Error.BREDR."
    static let connectionAttemptFailed = "org.bluez.Error.ConnectionAttemptFailed"
    static let doesNotExist = "org.bluez.Error.DoesNotExist"
    static let failed = "org.bluez.Error.Failed"
    static let inProgress = "org.bluez.Error.InProgress"
    static let invalidArguments = "org.bluez.Error.InvalidArguments"
    static let invalidLength = "org.bluez.Error.InvalidLength"
    static let invalidOffset = "org.bluez.Error.InvalidOffset"
    static let invalidValueLength = "org.bluez.Error.InvalidValueLength"
    static let notAuthorized = "org.bluez.Error.NotAuthorized"
    static let notConnected = "org.bluez.Error.NotConnected"
    static let notPermitted = "org.bluez.Error.NotPermitted"
    static let notReady = "org.bluez.Error.NotReady"
    static let notSupported = "org.bluez.Error.NotSupported"
    /// The error with which an agent rejects a question.
    static let rejected = "org.bluez.Error.Rejected"
}
