extension RequestError.Code {
    /// The documentation of the code.
    package var meaning: String {
        switch self {
        case .badRequest: "The payload is not a JSON object, or a parameter is missing or invalid."
        case .unknownVerb: "The gateway or the device has no such request."
        case .unknownDevice: "The gateway has no device of that name."
        case .unknownCharacteristic: "The configuration of the device has no characteristic of that name."
        case .notAllowed: "The configuration does not allow the request."
        case .notSupported: "The device or its configuration does not support the request."
        case .invalidValue: "The value does not fit the format, or the change conflicts with the rest of the fleet."
        case .notFound: "The device is not in range, or does not have the configured characteristic."
        case .timeout: "The device did not answer in time, or not all values arrived within the time of a session."
        case .expired: "The request waited for its device longer than `ttl`."
        case .superseded: "A newer request replaced this one."
        case .busy:
            "Too many requests are waiting, the device is paused on request, or the same operation is in progress."
        case .refused: "The device answered no; the member `hex` of `data` contains its answer."
        case .disconnected:
            "The connection ended before the device answered a command, which may have taken effect."
        case .attError: "The device rejected the operation with the ATT error code in the member `att`."
        case .bluetoothOff: "Bluetooth is off or not available."
        case .failed: "Any other failure; the message gives the reason."
        }
    }
}
