import BlueZ
import Bluetooth
import Contract

extension RequestError {
    /// Creates the error for a failed operation on `object`, such as `DEVICE/CHARACTERISTIC`.
    init(_ error: CentralError, on object: String) {
        let message = "\(object): \(error.message)"
        switch error.code {
        case .att(let error): self.init(.attError, message, att: error.code)
        case .unavailable, .unauthorized: self.init(.bluetoothOff, message)
        case .notFound: self.init(.notFound, message)
        case .connectionTimeout, .timeout: self.init(.timeout, message)
        case .notSupported: self.init(.notSupported, message)
        case .inProgress: self.init(.busy, message)
        case .connectionFailed, .peripheralDisconnected, .linkUnusable, .servicesChanged, .cancelled, .notPaired,
            .bondLost, .pairingFailed, .failed:
            self.init(.failed, message)
        }
    }
}
