/// The checked configuration of a gateway: the broker, the devices and the rules for publishing their values.
///
/// A configuration is always read from YAML (``init(file:checkingFiles:toleratingMissingFiles:)``,
/// ``init(yaml:file:checkingFiles:)``). Each default is therefore defined once: in the tables of keys, from which the
/// reference is generated.
package struct Configuration: Sendable, Equatable {
    /// The name of this gateway, which is one level of a topic.
    package let gateway: String
    /// The folder for known peripherals, devices added at run time, and messages that wait for the broker.
    package let stateDirectory: String
    package let logLevel: LogLevel
    package let broker: Broker
    package internal(set) var homeAssistant: HomeAssistant
    package let bluetooth: Adapters
    package let spool: Spool
    package let dashboard: Dashboard
    /// How the gateway shares devices with other gateways; nil: it shares none.
    package internal(set) var share: Share?
    /// The devices in the order of the file, merged with their profiles.
    package internal(set) var devices: [Device]
    /// Whether the gateway has no Bluetooth, and only decides which other gateway owns which device.
    package internal(set) var onlyDecides = false
    /// The rules for devices that are not listed; the first matching rule applies.
    package internal(set) var fleet: [FleetRule]
    /// The advertisements that the gateway sends, in the order of the file.
    package internal(set) var advertisers: [Advertiser]
    /// The line of each device in the file, by name, for messages.
    ///
    /// The line is not a property of the device: an entry that only moves within the file is the same device.
    package let lines: [String: Int]
    /// The profiles of the library that the file names, sorted by name.
    package let usedProfiles: [UsedProfile]
    /// The warnings about the file, in the order of the file.
    package internal(set) var warnings: [Mistake]
    /// The paths of the file and of the files that add to it, in order; positions in `profiles` contain the index.
    let files: [String]
    /// The profiles of the file, for devices that are added at run time; nil if the file has none.
    let profiles: YAMLNode?

    /// The profiles that the devices can name.
    package var profileLibrary: ProfileLibrary { ProfileLibrary(beside: files.first ?? "") }

    /// The least severe messages that are logged.
    package enum LogLevel: String, Sendable, CaseIterable {
        case debug, info, warning, error
    }
}
