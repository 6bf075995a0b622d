import CMosquitto

/// The reason why a broker rejected a connection (MQTT 5, 3.2.2.2; MQTT 3.1.1, 3.2.2.3).
package struct Refusal: Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case badCredentials
        case notAuthorized
        case identifierRejected
        case unsupportedVersion
        case unavailable
        case moved
        case banned
        case unsupportedRetaining
        case unsupportedQualityOfService
        case other
    }

    package let reason: Reason
    /// The reason code of CONNACK.
    package let code: UInt8
    /// The text that the broker added to CONNACK; nil: none.
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
            case 3, 136, 137, 159: .unavailable
            case 156, 157: .moved
            case 138: .banned
            case 154: .unsupportedRetaining
            case 155: .unsupportedQualityOfService
            default: .other
            }
    }

    /// The reason and, if there is one, the remedy.
    package var description: String {
        let sentence =
            switch reason {
            case .badCredentials: "wrong user name or password: check username and password_file"
            case .notAuthorized: "not authorised: check username, password_file and the broker's access rules"
            case .identifierRejected: "the broker does not accept the client identifier"
            case .unsupportedVersion: "the broker does not support this version of MQTT: set protocol"
            case .unavailable: "the broker is unavailable or busy"
            case .moved: "the broker is at another address: change url"
            case .banned: "the broker has banned this client"
            case .unsupportedRetaining:
                "the broker does not support retained messages: connecting without a retained will"
            case .unsupportedQualityOfService:
                "the broker does not support this quality of service for the will: connecting with 0"
            case .other: String(cString: mosquitto_reason_string(Int32(code)))
            }
        return explanation.map { "\(sentence) (\($0))" } ?? sentence
    }
}
