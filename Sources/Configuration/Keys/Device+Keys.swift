import Bluetooth

extension Configuration {
    /// A device in the file, before it is checked against the other devices.
    struct DeviceEntry {
        /// The address; nil after a mistake has been reported.
        let address: Located<Address>?
        let settings: DeviceSettings
        let characteristics: [Named<Characteristic?>]
        /// The names of the derived values, and of the fields in the device's own advertisement formats.
        let calculatedAndAdvertised: [Located<String>]
    }
}

extension Configuration.Device {
    enum Keys {
        static let address = Key(
            required: "address", Kind.address.located, example: "C0:00:00:00:00:01",
            "The Bluetooth address of the device.")

        static let section = Section(
            "device", rows: [address.row, Profile.key.row] + Configuration.DeviceSettings.Keys.section.rows,
            advice: Configuration.DeviceSettings.advice)
    }

    /// The devices by name.
    static let named = Kind<[Named<Configuration.DeviceEntry>]>.mappings(Keys.section) { name, reader in
        if let problem = TopicName.problem(inDeviceName: name.value) {
            reader.mistakes.report(problem, at: name.position)
        }
        let entry = Configuration.DeviceSettingsEntry(reader)
        entry.check(reader)
        return Configuration.DeviceEntry(
            address: reader[Keys.address], settings: entry.settings, characteristics: entry.characteristics,
            calculatedAndAdvertised: entry.derived.map { Located($0.name, at: $0.position) } + entry.advertised)
    }
}
