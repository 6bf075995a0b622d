extension Configuration {
    /// A device with valid options.
    package struct DeviceWithOptions: Sendable {
        package let device: Device
        /// Warnings about the options, such as those that have no effect for this device.
        package let warnings: [String]
    }

    /// The keys that options can contain.
    package static var optionNames: [String] { DeviceSettings.Keys.options.rows.map(\.name) }

    /// The keys that the options of a characteristic can contain.
    package static var characteristicOptionNames: [String] { CharacteristicOptions.section.rows.map(\.name) }

    /// Returns a device with options: settings that replace those of its entry and its profile.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - text: The options in YAML or JSON: a mapping with keys of a device, without its address, its profile, its secrets,
    ///     its characteristics and its advertisement formats.
    /// - Returns: The device with the options, and the warnings about them.
    /// - Throws: `EntryError` with up to 20 mistakes.
    package func device(_ device: Device, options text: String) throws(EntryError) -> DeviceWithOptions {
        let mistakes = Mistakes(
            in: [device.name], checksFiles: false, toleratesMissingFiles: false, clientFile: 0)
        let node: YAMLNode
        do throws(YAMLError) {
            node = try YAMLParser.parse(text)
        } catch {
            throw EntryError(problems: [error.message])
        }
        var settings = device.settings
        if let reader = MappingReader(node, DeviceSettings.Keys.options, mistakes) {
            let entry = DeviceSettingsEntry(settings, replacedBy: reader)
            entry.check(reader)
            settings = entry.settings
        }
        guard mistakes.isEmpty else { throw EntryError(mistakes, in: node) }
        // Warnings about other settings of the device are at the beginning of the options.
        let warnings = mistakes.warnings.filter { $0.position != node.position }.map(\.message)
        return DeviceWithOptions(
            device: Device(name: device.name, address: device.address, settings: settings), warnings: warnings)
    }
}
