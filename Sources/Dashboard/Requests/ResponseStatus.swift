package import Contract

extension RequestError.Code {
    /// The HTTP status of a response with this code.
    package var httpStatus: Int {
        switch self {
        case .badRequest, .invalidValue: 400
        case .notAllowed: 403
        case .unknownVerb, .unknownDevice, .unknownCharacteristic, .notFound: 404
        case .superseded, .busy: 409
        case .notSupported: 501
        case .attError, .failed, .refused, .disconnected: 502
        case .bluetoothOff: 503
        case .timeout, .expired: 504
        }
    }
}
