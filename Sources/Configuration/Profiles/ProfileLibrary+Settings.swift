extension ProfileLibrary {
    /// Returns the settings of a device that has only a profile, with the defaults of its parameters.
    ///
    /// - Throws: `ConfigurationError` with all mistakes in the file, and for parameters without a default.
    package func settings(of name: String) throws(ConfigurationError) -> Configuration.DeviceSettings {
        let mistakes = Mistakes(in: path(of: name) ?? name)
        let settings = profile(named: name, mistakes)?.settings(mistakes)
        guard let settings, mistakes.isEmpty else {
            throw ConfigurationError(mistakes: mistakes.sorted, warnings: mistakes.warnings)
        }
        return settings
    }
}

extension ShippedProfile {
    /// Returns the settings of a device that has only this profile, with the defaults of its parameters; nil after a mistake
    /// has been reported.
    func settings(_ mistakes: Mistakes) -> Configuration.DeviceSettings? {
        let node = node.only(Configuration.DeviceSettings.Keys.section.rows.map(\.name))
        check(
            parameters: node[Configuration.DeviceSettings.Keys.with.row.name], at: node.position, mistakes)
        return Configuration.DeviceSettings.profile.read(node, mistakes)?.settings
    }
}
