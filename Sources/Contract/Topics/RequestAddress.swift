/// The address of a request.
package enum RequestAddress: Equatable, Sendable {
    case bridge(verb: String)
    case device(String, verb: String)
    case get(String, String)
    case set(String, String)

    /// The name of the device; nil for a request to the gateway.
    package var device: String? {
        switch self {
        case .bridge: nil
        case .device(let device, _), .get(let device, _), .set(let device, _): device
        }
    }

    /// - Parameters:
    ///   - device: the name of the device.
    ///   - levels: the levels after the device's name.
    init?(_ device: String, _ levels: ArraySlice<Substring>) {
        guard let first = levels.first, let last = levels.last, levels.count > 1 else { return nil }
        switch (DeviceTopicGroup(rawValue: String(first)), DeviceTopicGroup(rawValue: String(last))) {
        // Responses come from the gateway itself; a response to them would cause an endless loop.
        case (.response, _): return nil
        case (.request, _): self = .device(device, verb: levels.dropFirst().joined(separator: "/"))
        case (_, .get): self = .get(device, levels.dropLast().joined(separator: "/"))
        case (_, .set): self = .set(device, levels.dropLast().joined(separator: "/"))
        default: return nil
        }
    }
}
