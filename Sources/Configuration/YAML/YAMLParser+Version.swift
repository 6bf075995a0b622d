internal import CYAML

extension YAMLParser {
    /// The version of libyaml that is in use.
    package static var libraryVersion: String {
        unsafe String(cString: yaml_get_version_string())
    }
}
