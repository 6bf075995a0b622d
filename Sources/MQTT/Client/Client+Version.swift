internal import CMosquitto

extension Client {
    /// The version of libmosquitto that is in use.
    package static var libraryVersion: String {
        var (major, minor, revision) = (Int32(0), Int32(0), Int32(0))
        mosquitto_lib_version(&major, &minor, &revision)
        return "\(major).\(minor).\(revision)"
    }
}
