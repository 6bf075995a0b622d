internal import CJSON

extension JSON {
    /// The version of json-c that is in use.
    package static var libraryVersion: String {
        String(cString: json_c_version())
    }
}
