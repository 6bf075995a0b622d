import Glibc
import System

extension Configuration {
    enum Keys {
        static let gateway = Key(
            "gateway", .gateway, example: "attic", "The name of this gateway; the host name if left out.")
        static let stateDirectory = Key(
            "state_directory", .path, default: "/var/lib/bluefleet",
            "The folder for known peripherals, for devices that were added at run time, and for messages that wait for the "
                + "broker.")
        static let log = Key("log", Kind<LogLevel>.word, default: "info", "The least severe messages that are logged.")
        static let mqtt = Key("mqtt", Broker.kind, default: "{}", "The MQTT broker.")
        static let homeAssistant = Key(
            "home_assistant", HomeAssistant.kind, default: "{}", "The announcement of devices to Home Assistant.")
        static let bluetooth = Key("bluetooth", Adapters.kind, default: "{}", "The Bluetooth adapters.")
        static let spool = Key(
            "spool", Spool.kind, default: "{}", example: "{keep: all}",
            "The values and events that wait on the disk while the broker is away. If the section is left out, only values "
                + "with keep: all wait there.")
        static let dashboard = Key(
            "dashboard", Dashboard.kind, default: "{}", example: "{listen: 127.0.0.1:2583}",
            "The page with all gateways and devices: bluefleet dashboard, a program of its own.")
        static let profiles = Key(
            "profiles", Kind<[Named<DeviceSettingsEntry>]>.named(DeviceSettings.profile), default: "{}",
            example: "{climate: {connect: always}}",
            "Settings that several devices share, by the name that the devices refer to.")
        static let devices = Key(
            "devices", Device.named, default: "{}", example: "{greenhouse: {address: C0:00:00:00:00:01}}",
            "The devices by name; the name is the beginning of the topics.")
        static let fleet = Key(
            "fleet", .list(of: FleetRule.kind), default: "[]", example: "[{match: {name: \"Sensor*\"}}]",
            "Rules for devices that are not listed; the first matching rule applies.")
        static let share = Key(
            "share", Share.kind, default: "false", example: "true",
            "Whether several gateways with the same devices share them: the gateway that receives a device best publishes it "
                + "and connects to it. Devices with history are not shared.")

        static let advertisers = Key(
            "advertisers", Advertiser.named, default: "{}",
            example: "{kitchen: {objects: {temperature: {topic: bluefleet/greenhouse/temperature}}}}",
            "Advertisements that the gateway sends, by a name of your choice: values of topics, or fixed ones, for receivers "
                + "without MQTT.")

        static let section = Section(
            "bluefleet.yaml", gateway, stateDirectory, log, mqtt, homeAssistant, bluetooth, spool, dashboard, share,
            profiles, devices, fleet, advertisers,
            example: "{devices: {…}}",
            advice: [
                "logging": "did you mean 'log'?", "logger": "did you mean 'log'?",
                "data_dir": "did you mean 'state_directory'?", "data_directory": "did you mean 'state_directory'?",
                "timezone": "times are in UTC: remove the key", "time_zone": "times are in UTC: remove the key",
                "version": "the file has no version: remove the key",
                "includes": "files conf.d/*.yaml in the folder of this file add to it",
                "scan_interval": "write connect: every 10m in the device",
                "webserver": "did you mean 'dashboard'?", "http": "did you mean 'dashboard'?",
                "include": "files conf.d/*.yaml in the folder of this file add to it",
                "override": "only files conf.d/*.yaml in the folder of this file override others",
                "broker": "did you mean 'mqtt'?", "server": "did you mean 'mqtt'?", "log_level": "did you mean 'log'?",
                "sensors": "did you mean 'devices'?", "name": "did you mean 'gateway'?",
                "homeassistant": "did you mean 'home_assistant'?", "ble": "did you mean 'bluetooth'?",
                "characteristics": "it belongs into a device or a profile",
                "page": "did you mean 'dashboard'?", "frontend": "did you mean 'dashboard'?",
                "peripherals": "this file describes a simulated fleet: bluefleet simulate FILE",
            ])
    }

    /// The table of all keys with its nested tables, from which the reference is generated.
    package static var reference: Section { Keys.section }

    private static let mapping = Kind.mapping(Keys.section) { reader in
        // The profiles are read only to report their mistakes: they have already been merged into the devices.
        _ = reader[Keys.profiles]
        let (broker, homeAssistant) = (reader[Keys.mqtt], reader[Keys.homeAssistant])
        if broker.prefix == homeAssistant.prefix, homeAssistant.discovery != .none {
            let written = [
                reader.node(of: Keys.homeAssistant)?[HomeAssistant.Keys.prefix.row.name],
                reader.node(of: Keys.mqtt)?[Broker.Keys.prefix.row.name],
            ]
            reader.mistakes.report(
                "mqtt and home_assistant have the same prefix: change one of them",
                at: written.lazy.compactMap(\.self).first { !$0.isNull }?.position)
        }
        let entries = reader[Keys.devices]
        check(entries, reader.mistakes)
        let advertisers = reader[Keys.advertisers]
        Advertiser.check(advertisers, reader.mistakes)
        checkRules(reader.node(of: Keys.fleet), entries, reader.mistakes)
        let devices = entries.compactMap { entry in
            entry.value.address.map {
                Device(name: entry.name, address: $0.value, settings: entry.value.settings)
            }
        }
        let (share, fleet) = (reader[Keys.share], reader[Keys.fleet])
        checkShare(share, reader.node(of: Keys.share), devices, fleet, reader.mistakes)
        return Configuration(
            gateway: reader[Keys.gateway] ?? TopicName.ofGateway(onHost: hostName),
            stateDirectory: reader[Keys.stateDirectory], logLevel: reader[Keys.log], broker: broker,
            homeAssistant: homeAssistant, bluetooth: reader[Keys.bluetooth],
            spool: spool(reader), dashboard: reader[Keys.dashboard], share: share, devices: devices, fleet: fleet,
            advertisers: advertisers.map(\.value),
            lines: Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.position.line) }),
            usedProfiles: reader.mistakes.profiles.used,
            warnings: reader.mistakes.warnings, files: reader.mistakes.files, profiles: reader.node(of: Keys.profiles))
    }

    /// Reads the section `spool`, and checks that its size fits the file system.
    private static func spool(_ reader: MappingReader) -> Spool {
        let spool = reader[Keys.spool]
        guard reader.has(Keys.spool) else {
            return Spool(
                keep: spool.keep, includesEvents: false, size: spool.size, age: spool.age, replay: spool.replay,
                sync: spool.sync)
        }
        if reader.mistakes.checksFiles, let total = FileSystem.totalBytes(of: reader[Keys.stateDirectory]),
            spool.size > total / 2
        {
            reader.report(
                "size: \(spool.size / 1_000_000)MB is more than half of the file system of \(reader[Keys.stateDirectory]), "
                    + "which has \(total / 1_000_000)MB: make size smaller", at: Keys.spool)
        }
        return spool
    }

    /// The name of this machine.
    package static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static let kind = Kind<Configuration>("configuration", section: Keys.section) { node, mistakes in
        let node = node.withoutExtensions.withGatewayName
        return mapping.read(Profile.applied(to: node, mistakes), mistakes)
    }
}

extension YAMLNode {
    /// The mapping without the keys that begin with `x-`, where a file can define anchors.
    fileprivate var withoutExtensions: YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        return YAMLNode(content: .mapping(entries.filter { !$0.key.hasPrefix("x-") }), position: position)
    }
}

extension YAMLNode {
    /// The mapping with the gateway's name in the place of `{gateway}` in each value.
    fileprivate var withGatewayName: YAMLNode {
        let key = Configuration.Keys.gateway.row.name
        let name =
            if case .scalar(let text, _)? = self[key]?.content, self[key]?.isNull == false {
                text
            } else {
                TopicName.ofGateway(onHost: Configuration.hostName)
            }
        return replacing("{gateway}", with: name)
    }
}

extension Kind where Value == String {
    fileprivate static var gateway: Kind {
        topic.map("name") { name throws(InvalidValue) in
            guard TopicName.levels(of: name).count == 1 else {
                throw "the name of a gateway must not contain '/'"
            }
            return name
        }
    }
}
