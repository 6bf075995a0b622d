import Bluetooth

extension Configuration.Device {
    enum Keys {
        static let address = Key(
            required: "address", Kind.address.located, example: "C0:00:00:00:00:01", "The device's Bluetooth address.")

        static let section = Section(
            "device", rows: [address.row, Profile.key.row] + Configuration.Treatment.Keys.section.rows)
    }

    /// Names and their devices.
    static let named = Kind<[Named<Configuration.DeviceEntry>]>.mappings(Keys.section) { name, reader in
        if let complaint = TopicName.complaint(aboutDevice: name.value) {
            reader.mistakes.report(complaint, at: name.position)
        }
        let entry = Configuration.TreatmentEntry(reader)
        entry.check(reader)
        return Configuration.DeviceEntry(
            address: reader[Keys.address], treatment: entry.treatment, characteristics: entry.characteristics,
            advertised: entry.advertised)
    }
}
