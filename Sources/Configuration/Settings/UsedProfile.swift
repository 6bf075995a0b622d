extension Configuration {
    /// A profile of the library that a device, a profile or a rule of the configuration names.
    package struct UsedProfile: Sendable, Equatable {
        /// The name: `jbd/battery`.
        package let name: String
        /// The path of its file.
        package let path: String
        package let version: Int
        /// The version of the shipped profile that the file of the user replaces; nil: it replaces none.
        package let replacedVersion: Int?

        package init(name: String, path: String, version: Int, replacedVersion: Int?) {
            self.name = name
            self.path = path
            self.version = version
            self.replacedVersion = replacedVersion
        }
    }
}
