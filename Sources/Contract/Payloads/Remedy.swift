package import JSON

/// The step that helps a device that is not online, by words in the reason that the gateway reports.
///
/// The page of the dashboard and the command `doctor` show the same steps.
package struct Remedy: Equatable, Sendable {
    /// The button or the link that the page of the dashboard offers.
    package enum Action: String, Sendable {
        case connect, pair
        /// The list of connections of the gateway.
        case connections
    }

    /// The words in lower case: the remedy fits a reason with one of them, and every reason if there are none.
    private let words: [String]
    /// The step as a sentence.
    package let step: String
    /// nil if nothing on the page helps.
    package let action: Action?

    private init(_ words: [String], _ step: String, _ action: Action? = nil) {
        self.words = words
        self.step = step
        self.action = action
    }

    /// The remedies; the first one whose words fit applies.
    private static let all = [
        Remedy(
            ["the gateway "],
            "Check the power and the network of the gateway, and its service: systemctl status bluefleet."),
        Remedy(
            ["bluetooth is not available", "bluetoothd"],
            "Run bluefleet doctor on the gateway: it prints the command that switches Bluetooth on."),
        Remedy(
            ["connections of", "connections are in use"],
            "Use connect: every 10m for devices that can wait, or add an adapter.", .connections),
        Remedy(
            ["bond", "passkey", "pair", "authentication", "encryption", "notpermitted"],
            "Pair the device. If it has lost its bond, unpair it first.", .pair),
        Remedy(
            ["not been seen", "no longer seen", "no advertisement"],
            "Press its button or replace its battery, close its app on telephones, or move it closer to a gateway.",
            .connect),
        Remedy(["being connected"], "Wait: the gateway connects one device after another."),
        Remedy(
            ["key", "decrypt"],
            "Check the key of the device: the file of key_file has 32 hexadecimal digits."),
        Remedy(
            ["no value of", "values are missing", "subscri"],
            "Connect to the device again. If that does not help, restart it.", .connect),
        Remedy(
            ["disconnect was requested", "released"],
            "Nothing: a client has asked the gateway to keep the device disconnected. Connect to it again to end that.",
            .connect),
        Remedy(
            [],
            "Move the device closer to a gateway, or close the program that is connected to it. "
                + "The gateway connects again by itself.", .connect),
    ]

    /// Returns what helps against a reason.
    package init(for reason: String) {
        let reason = Array(reason.lowercased().utf8)
        let fitting = Self.all.first { remedy in
            remedy.words.isEmpty || remedy.words.contains { Self.occurs($0, in: reason) }
        }
        guard let fitting else { preconditionFailure("the last remedy fits every reason") }
        self = fitting
    }

    private static func occurs(_ word: String, in text: [UInt8]) -> Bool {
        text.indices.contains { text[$0...].starts(with: word.utf8) }
    }

    /// The table for programs that show the reasons of many devices.
    package static var table: JSON {
        .array(
            all.map { remedy in
                [
                    "words": .array(remedy.words.map { .string($0) }), "step": .string(remedy.step),
                    "action": remedy.action.map { .string($0.rawValue) } ?? .null,
                ]
            })
    }
}
