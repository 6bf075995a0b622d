import Bluetooth
import Codec
package import JSON

/// A member of the payload of an event, with its documentation.
package struct EventMember: Sendable {
    package let name: String
    package let value: JSON
    package let meaning: String
    /// Whether the value lets its reader take part in a pairing.
    let isSecret: Bool

    package init(_ name: String, _ value: JSON, _ meaning: String) {
        self.init(name, value, meaning, isSecret: false)
    }

    private init(_ name: String, _ value: JSON, _ meaning: String, isSecret: Bool) {
        self.name = name
        self.value = value
        self.meaning = meaning
        self.isSecret = isSecret
    }
}

/// The members that several events share.
extension EventMember {
    static func device(_ name: String) -> EventMember {
        EventMember("device", .string(name), "the name of the device")
    }

    /// The passkey or the number of a pairing.
    static func secret(_ name: String, _ passkey: Passkey) -> EventMember {
        EventMember(name, .text(passkey), "six digits", isSecret: true)
    }

    static func address(_ address: Address) -> EventMember {
        EventMember("address", .text(address), "the address of the device")
    }

    static func adapter(_ name: String) -> EventMember {
        EventMember("adapter", .string(name), "the name of the adapter")
    }

    static func advertiser(_ name: String) -> EventMember {
        EventMember("advertiser", .string(name), "the name in the section `advertisers`")
    }

    static func characteristic(_ name: String) -> EventMember {
        EventMember("characteristic", .string(name), "the name of the characteristic in the configuration")
    }

    static func reason(_ text: String) -> EventMember {
        EventMember("reason", .string(text.shortened(to: longestReason)), "the reason in words")
    }

    /// The maximum length of a reason in bytes; several mistakes of an entry are one reason.
    private static let longestReason = 1024

    static func count(_ count: Int, _ meaning: String) -> EventMember {
        EventMember("count", .number(count), meaning)
    }

    static func state(_ state: BluetoothState) -> EventMember {
        EventMember("state", .string(state.rawValue), BluetoothState.allCases.names)
    }

    static func action(_ action: BrokerStatus.Refusal.Action) -> EventMember {
        EventMember("action", .string(action.rawValue), BrokerStatus.Refusal.Action.allCases.names)
    }

    static func topic(_ topic: String) -> EventMember {
        EventMember("topic", .string(topic.shortened(to: longestReason)), "the topic, or the filter of a subscription")
    }

    /// Another gateway.
    static func member(_ gateway: String) -> EventMember {
        EventMember("gateway", .string(gateway), "the name of the gateway")
    }

    static func resource(_ resource: HostResource) -> EventMember {
        EventMember("resource", .string(resource.rawValue), HostResource.allCases.names)
    }

    static func repair(_ repair: RepairStep) -> EventMember {
        EventMember(
            "repair", .string(repair.name.rawValue),
            "\(RepairStep.Name.allCases.names); only `remove_device` has the `address` of the device")
    }
}
