/// Everything a gateway is told by its file, checked: which broker, which devices, what of them is published and how.
///
/// The YAML text is the only way in (``init(file:checkingFiles:)``, ``init(yaml:file:checkingFiles:)``), so each
/// default stands in one place: the tables of keys, which also describe it in the reference.
package struct Configuration: Sendable, Equatable {
    /// This gateway's name: one level of a topic.
    package let gateway: String
    /// Where known peripherals, what was added at run time and what waits for the broker are kept.
    package let stateDirectory: String
    package let logLevel: LogLevel
    package let broker: Broker
    package let homeAssistant: HomeAssistant
    package let bluetooth: Adapters
    /// The devices that the file lists, in its order, with what their profiles say merged in.
    package let devices: [Device]
    /// The rules for devices that nobody listed; the first that matches counts.
    package let fleet: [FleetRule]
    /// The line of each device in the file, by name, for messages. It is no part of the device: an entry that only
    /// moved down the file is the same device.
    package let lines: [String: Int]
    /// What stands in the file and has no effect, in its order.
    package let warnings: [Mistake]
    /// The profiles as they stand in the file, for entries that are not in it.
    let profiles: YAMLNode?
}
