package import Bluetooth

/// What went wrong between a central and a peripheral, on which object.
///
/// The counterpart of Core Bluetooth's `CBError` and `CBATTError`.
package struct CentralError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Bluetooth is off, or bluetoothd or its adapter is not there.
        case unavailable
        /// The bus's policy refuses us.
        case unauthorized
        /// The peripheral has not been seen, or not for long.
        case notFound
        /// The link was not made in time.
        case connectionTimeout
        /// The link could not be made; often for a moment only.
        case connectionFailed
        /// The link is down.
        case peripheralDisconnected
        /// The link is up, and no attributes are to be had over it.
        case linkUnusable
        /// The peripheral has other services now: they are to be discovered again.
        case servicesChanged
        /// We gave up on purpose.
        case cancelled
        /// The peripheral or bluetoothd did not answer in time.
        case timeout
        /// bluetoothd is busy with the same thing.
        case inProgress
        /// The peripheral refused, with the code of the Attribute Protocol.
        case att(ATTError)
        /// The characteristic or bluetoothd does not do this.
        case notSupported
        /// It wants a bond, which there is not.
        case notPaired
        /// The peripheral, or bluetoothd, does not know the keys of the bond any more.
        case bondLost
        /// There is no bond: one of the sides did not want it, or did not know the passkey.
        case pairingFailed
        /// Anything else.
        case failed
    }

    package let code: Code
    /// The peripheral, characteristic or adapter.
    package let object: String
    /// What failed and what to do about it, without the object.
    package let message: String

    package init(_ code: Code, _ object: String, _ message: String) {
        self.code = code
        self.object = object
        self.message = message
    }

    /// Whether the peripheral does not know the attribute that bluetoothd has of it: what bluetoothd remembers is out of
    /// date (Core Specification, Vol 3, Part F, 3.4.1.1: Invalid Handle, Attribute Not Found).
    package var isOfStaleServices: Bool {
        code == .att(ATTError(code: 0x01)) || code == .att(ATTError(code: 0x0A))
    }

    /// Whether nothing more is to be had of the link: it carries no attributes, or the peripheral has not answered for 30 s
    /// (Core Specification, Vol 3, Part F, 3.3.3: bluetoothd ends it then, as a rule).
    package var isOfStuckLink: Bool { code == .timeout || code == .linkUnusable }

    package var description: String { "\(object): \(message)" }
}
