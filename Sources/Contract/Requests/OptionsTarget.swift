package import Configuration
package import JSON

/// The devices whose options a request changes.
package enum OptionsTarget: Sendable {
    case device(String)
    /// The devices whose names match one of the patterns.
    case devices([Glob])

    /// The maximum number of patterns.
    private static let mostPatterns = 100

    /// - Throws: `RequestError` `bad_request` if the parameters name no device, or a device and patterns.
    init(_ parameters: JSON.Object) throws(RequestError) {
        let example = #"["cellar/*"]"#
        guard let value = parameters["devices"] else {
            self = .device(try Request.text("device", in: parameters, example: "greenhouse"))
            return
        }
        if parameters["device"] != nil {
            throw RequestError(.badRequest, "devices: a request has either device or devices: remove one")
        }
        guard let patterns = value.array?.map(\.string), !patterns.isEmpty, !patterns.contains(nil),
            patterns.count <= Self.mostPatterns
        else {
            throw RequestError(
                "devices", "a list of up to \(Self.mostPatterns) names with * and ?", example, found: value)
        }
        self = .devices(patterns.compactMap { $0 }.map { Glob($0) })
    }
}

/// The options of one device after a request.
package struct OptionsResult: Sendable {
    package let device: String
    /// All options of the device.
    package let options: JSON.Object
    /// Why some options have no effect.
    package let warnings: [String]

    package init(device: String, options: JSON.Object, warnings: [String] = []) {
        self.device = device
        self.options = options
        self.warnings = warnings
    }
}
