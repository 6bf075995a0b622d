import Bridge
import Codec
import Configuration
import Glibc
import Spool
import System

/// Checks the disk for values that wait for the broker; without `keep: all` there is nothing to check.
enum SpoolChecks {
    private static let subject = "spool"

    static func findings(_ configuration: Configuration, of file: ConfigurationFile) -> [Diagnosis] {
        guard configuration.storesValues else { return [] }
        let folder = configuration.stateDirectory
        let megabyte = 1_000_000
        guard let free = FileSystem.freeBytes(of: folder) else { return [] }
        if FileSystem.isInMemory(folder) {
            return [
                .advice(
                    subject, "\(folder) is in memory: values that wait for the broker are lost at power off",
                    "in \(file.name), set state_directory to a folder on a disk")
            ]
        }
        let reserve = SpoolLimits().freeSpace
        guard free > reserve + megabyte else {
            return [
                .advice(
                    subject,
                    "\(free / megabyte) MB are free on the file system of \(folder), and \(reserve / megabyte) MB stay free: "
                        + "no value can wait there", "df -h \(folder)")
            ]
        }
        let waiting = (try? SpoolContents(of: SpoolFolder.path(in: configuration.stateDirectory)))?.count ?? 0
        let medium = FileSystem.isOnCard(folder) ? " on a memory card" : ""
        return [
            .ok(
                subject,
                "\(waiting) message\(waiting == 1 ? " waits" : "s wait"), up to \(configuration.spool.size / megabyte) MB, "
                    + "\(free / megabyte) MB free\(medium)")
        ]
    }
}

extension Configuration {
    /// Whether any value waits on the disk while the broker is away.
    fileprivate var storesValues: Bool {
        let settings = devices.map(\.settings) + fleet.map(\.settings)
        return spool.includesEvents || spool.keep == .all
            || settings.contains { settings in
                settings.keep == .all || settings.keepOfAdvertisements == .all
                    || settings.characteristics.contains { $0.keep == .all }
            }
    }
}
