internal import CMosquitto

/// Why a broker did not take a client in (MQTT 5, 3.2.2.2; MQTT 3.1.1, 3.2.2.3).
package struct Refusal: Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case badCredentials
        case notAuthorized
        case identifierRejected
        case unsupportedVersion
        case unavailable
        case banned
        case unsupportedRetaining
        case unsupportedQualityOfService
        case other
    }

    package let reason: Reason
    /// The code on the wire.
    package let code: UInt8
    /// What the broker adds in its own words.
    package let explanation: String?

    init(code: UInt8, explanation: String? = nil) {
        self.code = code
        self.explanation = explanation
        reason =
            switch code {
            case 4, 134: .badCredentials
            case 5, 135: .notAuthorized
            case 2, 133: .identifierRejected
            case 1, 132: .unsupportedVersion
            case 3, 136, 137, 156, 157, 159: .unavailable
            case 138: .banned
            case 154: .unsupportedRetaining
            case 155: .unsupportedQualityOfService
            default: .other
            }
    }

    /// What is the matter and what to do about it.
    package var description: String {
        let sentence =
            switch reason {
            case .badCredentials: "wrong user name or password: check username and password_file"
            case .notAuthorized: "not authorised: check username, password_file and the broker's access rules"
            case .identifierRejected: "the broker does not accept the client identifier"
            case .unsupportedVersion: "the broker does not speak this version of MQTT: set protocol"
            case .unavailable: "the broker takes no clients at the moment"
            case .banned: "the broker has banned this client"
            case .unsupportedRetaining: "the broker keeps no retained messages: use one that does"
            case .unsupportedQualityOfService: "the broker does not take this quality of service: set qos to 1 or 0"
            case .other: String(cString: mosquitto_reason_string(Int32(code)))
            }
        return explanation.map { "\(sentence) (\($0))" } ?? sentence
    }
}
