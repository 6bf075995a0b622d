import Codec
import Configuration
package import Bluetooth
package import JSON

/// The reason why a request failed: the member `error` of its response.
package struct RequestError: Error, Equatable, Sendable {
    /// The values of the member `code`.
    package enum Code: String, CaseIterable, Sendable {
        /// The payload is not a JSON object, or a parameter is missing or invalid.
        case badRequest = "bad_request"
        /// The gateway or the device has no such request.
        case unknownVerb = "unknown_verb"
        /// The gateway has no device of that name.
        case unknownDevice = "unknown_device"
        /// The device has no characteristic of that name in its configuration.
        case unknownCharacteristic = "unknown_characteristic"
        /// The configuration does not allow the request.
        case notAllowed = "not_allowed"
        /// The device or its configuration does not support the request.
        case notSupported = "not_supported"
        /// The value does not fit the format, or the change conflicts with the rest of the fleet.
        case invalidValue = "invalid_value"
        /// The device is not in range, or does not have the configured characteristic.
        case notFound = "not_found"
        /// The device did not answer in time, or not all values arrived within the time of a session.
        case timeout
        /// The request waited for its device longer than `ttl`.
        case expired
        /// A newer request replaced this one.
        case superseded
        /// Too many requests are waiting, the device is paused, or the same operation is in progress.
        case busy
        /// The device answered no; `hex` in `data` contains its answer.
        case refused
        /// The connection ended before the device answered; the command may have taken effect.
        case disconnected
        /// The device rejected the operation with the ATT error code in `att`.
        case attError = "att_error"
        /// Bluetooth is off or not available.
        case bluetoothOff = "bluetooth_off"
        /// Any other failure; the message gives the reason.
        case failed
    }

    package let code: Code
    /// The description of the failure for the user.
    package let message: String
    /// The error code of the Attribute Protocol if `code` is `attError`; nil otherwise.
    package let att: UInt8?

    /// The maximum length of a message in bytes: an entry may have many mistakes.
    private static let longestMessage = 1536

    /// The part of the result that exists in spite of the failure, such as values that have arrived: the member `data` of the
    /// response; nil if there is none.
    package private(set) var data: JSON?

    /// - Parameters:
    ///   - code: the kind of the failure.
    ///   - message: the description for the user; it is cut after 1,536 bytes.
    ///   - att: the error code of the Attribute Protocol; nil: none.
    package init(_ code: Code, _ message: String, att: UInt8? = nil) {
        self.code = code
        self.message = message.shortened(to: Self.longestMessage)
        self.att = att
    }

    /// Returns the error with the data of the response.
    package func with(_ data: JSON?) -> RequestError {
        var error = self
        error.data = data
        return error
    }

    /// Creates the error for a parameter with a wrong value: `level: expected one of debug, info, found '7'`.
    ///
    /// - Parameters:
    ///   - parameter: the name of the parameter.
    ///   - expected: what the parameter can be.
    ///   - example: a correct value; nil if `expected` shows one.
    ///   - value: the wrong value.
    package init(_ parameter: String, _ expected: String, _ example: String? = nil, found value: JSON) {
        let sample = example.map { " such as \(JSON.string($0))" } ?? ""
        let found = value.string?.quotedForMessage ?? value.description.quotedForMessage
        self.init(.badRequest, "\(parameter): expected \(expected)\(sample), found \(found)")
    }

    /// Creates the error for a verb that does not exist.
    ///
    /// - Parameters:
    ///   - verb: the verb of the request.
    ///   - verbs: the verbs that exist.
    ///   - elsewhere: what to do instead, by verbs that clients may expect here.
    package init<Verb: RawRepresentable<String>>(
        unknown verb: String, among verbs: [Verb], elsewhere: [String: String] = [:]
    ) {
        let names = verbs.map(\.rawValue)
        let advice: String
        if let place = elsewhere[verb] {
            advice = place
        } else if let meant = names.first(where: { $0.hasSuffix("/\(verb)") }) ?? verb.nearest(in: names) {
            advice = "did you mean \(meant)?"
        } else {
            advice = "expected one of \(names.joined(separator: ", "))"
        }
        self.init(.unknownVerb, "\(verb.shortened): unknown request: \(advice)")
    }

    /// Creates the error for a device that does not exist; the advice is a similar name.
    package init(unknownDevice name: String, among names: [String]) {
        let advice =
            name.nearest(in: names).map { "did you mean \($0)?" }
            ?? "the topic devices of the gateway lists all names"
        self.init(.unknownDevice, "\(name.shortened): there is no such device: \(advice)")
    }

    /// Creates the error for a write that the configuration does not allow.
    ///
    /// - Parameter object: The characteristic as `DEVICE/NAME`.
    package init(rejectedWriteTo object: String) {
        self.init(
            .notAllowed,
            "\(object): write rejected: the configuration does not allow it. Add \"write: true\" to this characteristic."
        )
    }

    /// Creates the error of a write to a characteristic that the device has several times.
    package init(ambiguousWriteTo object: String, uuid: UUID, services: [UUID]) {
        let ambiguity = CharacteristicAmbiguity(services)
        self.init(
            .notAllowed,
            "\(object): write rejected: \(uuid) exists \(ambiguity.places). Add \"\(ambiguity.key): \(ambiguity.first)\" or "
                + "another one of them to this characteristic."
        )
    }

    package var json: JSON {
        var members: JSON.Object = ["code": .string(code.rawValue), "message": .string(message)]
        members.add("att", att.map { .number($0) })
        return .object(members)
    }

    /// - Returns: nil if the value is not the member `error` of a response.
    package init?(_ json: JSON) {
        guard let code = json["code"]?.string.flatMap({ Code(rawValue: $0) }), let message = json["message"]?.string
        else { return nil }
        self.init(code, message, att: json["att"]?.int.flatMap { UInt8(exactly: $0) })
    }
}
