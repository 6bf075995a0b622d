package import Bluetooth

/// An error of the central or of an operation on a peripheral.
///
/// The counterpart of Core Bluetooth's `CBError` and `CBATTError`.
package struct CentralError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Bluetooth is off, or bluetoothd or its adapter is missing.
        case unavailable
        /// The bus rejects the call by its policy.
        case unauthorized
        /// The peripheral has not been seen, or not recently.
        case notFound
        /// The connection was not made in time.
        case connectionTimeout
        /// The connection could not be made; often transient.
        case connectionFailed
        /// The peripheral is not connected.
        case peripheralDisconnected
        /// The peripheral is connected, but attributes cannot be used.
        case linkUnusable
        /// The services of the peripheral have changed; they must be discovered again.
        case servicesChanged
        /// The caller has cancelled the operation.
        case cancelled
        /// The peripheral or bluetoothd did not respond in time.
        case timeout
        /// bluetoothd is busy with the same operation.
        case inProgress
        /// The peripheral has rejected the operation, with a code of the Attribute Protocol.
        case att(ATTError)
        /// The characteristic or bluetoothd does not support the operation.
        case notSupported
        /// The operation needs a bond, and there is none.
        case notPaired
        /// The peripheral or bluetoothd no longer has the keys of the bond.
        case bondLost
        /// No bond was made: one of the sides rejected it or had the wrong passkey.
        case pairingFailed
        /// Any other error.
        case failed
    }

    package let code: Code
    /// The peripheral, characteristic or adapter.
    package let object: String
    /// The failure and its remedy, without the object.
    package let message: String

    package init(_ code: Code, _ object: String, _ message: String) {
        self.code = code
        self.object = object
        self.message = message
    }

    /// Whether the peripheral has reported that an attribute does not exist: the services that bluetoothd has cached
    /// are outdated.
    ///
    /// Source: Core Specification, Vol 3, Part F, 3.4.1.1 (Invalid Handle, Attribute Not Found).
    package var indicatesStaleServices: Bool {
        code == .att(ATTError(code: 0x01)) || code == .att(ATTError(code: 0x0A))
    }

    /// Whether the connection is unusable: attributes cannot be used, or the peripheral has not responded in time.
    ///
    /// bluetoothd usually ends the connection if the peripheral does not respond for 30 s (Core Specification, Vol 3,
    /// Part F, 3.3.3).
    package var indicatesStuckConnection: Bool { code == .timeout || code == .linkUnusable }

    package var description: String { "\(object): \(message)" }
}
