internal import CDBus

extension Connection {
    /// The version of libdbus that is in use.
    package static var libraryVersion: String {
        var (major, minor, micro) = (Int32(0), Int32(0), Int32(0))
        dbus_get_version(&major, &minor, &micro)
        return "\(major).\(minor).\(micro)"
    }
}
