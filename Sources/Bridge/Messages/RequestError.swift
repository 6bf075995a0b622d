internal import BlueZ
internal import Bluetooth
internal import JSON

/// Why a request failed, as its response says it (contract, part 4).
struct RequestError: Error, Equatable, Sendable {
    enum Code: String, Sendable {
        case badRequest = "bad_request"
        case unknownVerb = "unknown_verb"
        case unknownDevice = "unknown_device"
        case unknownCharacteristic = "unknown_characteristic"
        case notAllowed = "not_allowed"
        case notSupported = "not_supported"
        case invalidValue = "invalid_value"
        case notFound = "not_found"
        case timeout
        case expired
        case superseded
        case busy
        case attError = "att_error"
        case bluetoothOff = "bluetooth_off"
        case failed
    }

    let code: Code
    let message: String
    /// The code of the Attribute Protocol, where the device refused.
    let att: UInt8?

    init(_ code: Code, _ message: String, att: UInt8? = nil) {
        self.code = code
        self.message = message
        self.att = att
    }

    /// What a failed operation on `object` is to the asker.
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

    var json: JSON {
        var members: [(String, JSON)] = [("code", .string(code.rawValue)), ("message", .string(message))]
        if let att { members.append(("att", .number(JSON.Number(att)))) }
        return .object(JSON.Object(members))
    }
}
