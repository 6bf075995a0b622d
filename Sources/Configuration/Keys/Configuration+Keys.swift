extension Configuration {
    enum Keys {
        static let gateway = Key(
            "gateway", .gateway, example: "attic", "This gateway's name; the host's if left out.")
        static let stateDirectory = Key(
            "state_directory", .path, default: "/var/lib/bluefleet",
            "The folder for known peripherals, what was added at run time, and what waits for the broker.")
        static let log = Key("log", Kind<LogLevel>.word, default: "info", "How much the gateway says of itself.")
        static let mqtt = Key("mqtt", Broker.kind, default: "{}", "The broker, and how to talk to it.")
        static let homeAssistant = Key(
            "home_assistant", HomeAssistant.kind, default: "{}", "What Home Assistant is told.")
        static let bluetooth = Key("bluetooth", Adapters.kind, default: "{}", "The Bluetooth adapters.")
        static let profiles = Key(
            "profiles", Kind<[Named<TreatmentEntry>]>.named(Treatment.profile), default: "{}",
            example: "{climate: {connect: always}}",
            "What many devices share, under a name that they refer to.")
        static let devices = Key(
            "devices", Device.named, default: "{}", example: "{greenhouse: {address: C0:00:00:00:00:01}}",
            "The devices, each under the name that its topics begin with.")
        static let fleet = Key(
            "fleet", .list(of: FleetRule.kind), default: "[]", example: "[{match: {name: \"Sensor*\"}}]",
            "Rules for devices that are not listed; the first that matches counts.")

        static let section = Section(
            "bluefleet.yaml", gateway, stateDirectory, log, mqtt, homeAssistant, bluetooth, profiles, devices, fleet)
    }

    /// The table of all keys, with the tables of what they hold: what the reference is generated from.
    package static var reference: Section { Keys.section }

    private static let mapping = Kind.mapping(Keys.section) { reader in
        // Only for its mistakes: what profiles say has been merged into the devices.
        _ = reader[Keys.profiles]
        let (broker, homeAssistant) = (reader[Keys.mqtt], reader[Keys.homeAssistant])
        if broker.prefix == homeAssistant.prefix, homeAssistant.discovery != .none {
            let written = [
                reader.node(of: Keys.homeAssistant)?[HomeAssistant.Keys.prefix.row.name],
                reader.node(of: Keys.mqtt)?[Broker.Keys.prefix.row.name],
            ]
            reader.mistakes.report(
                "mqtt and home_assistant have the same prefix: choose another one",
                at: written.lazy.compactMap(\.self).first { !$0.isNull }?.position)
        }
        let entries = reader[Keys.devices]
        check(entries, reader.mistakes)
        return Configuration(
            gateway: reader[Keys.gateway] ?? TopicName.ofGateway(onHost: hostName),
            stateDirectory: reader[Keys.stateDirectory], logLevel: reader[Keys.log], broker: broker,
            homeAssistant: homeAssistant, bluetooth: reader[Keys.bluetooth],
            devices: entries.compactMap { entry in
                entry.value.address.map {
                    Device(name: entry.name, address: $0.value, treatment: entry.value.treatment)
                }
            },
            fleet: reader[Keys.fleet],
            lines: Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.position.line) }),
            warnings: reader.mistakes.warnings, profiles: reader.node(of: Keys.profiles))
    }

    static let kind = Kind<Configuration>("configuration", section: Keys.section) { node, mistakes in
        mapping.read(Profile.applied(to: node, mistakes), mistakes)
    }
}

extension Kind where Value == String {
    fileprivate static var gateway: Kind {
        topic.map("name") { name throws(Complaint) in
            guard TopicName.levels(of: name).count == 1 else {
                throw "a gateway's name is one level of a topic: no '/' in it"
            }
            return name
        }
    }
}
