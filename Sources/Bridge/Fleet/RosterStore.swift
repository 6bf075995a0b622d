import Bluetooth
import Devices
import EventLoop
import JSON
import Log
import System

/// The roster in the state folder: `devices.json`; used only on the event loop's thread.
final class RosterStore {
    private var file: StateFile
    private(set) var roster = Roster()

    /// The maximum size of the file in bytes, which is more than a roster within its limits needs.
    private static let fileLimit = 8 << 20

    /// Loads the roster of an earlier run; added devices and options that exceed the limits are set aside.
    ///
    /// - Parameters:
    ///   - folder: the state folder.
    ///   - listed: the addresses of the devices in the configuration file; options of former devices are the first to be
    ///     set aside.
    ///   - observer: called with the error of each failed access.
    init(in folder: String, listed: Set<Address> = [], observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile(
            Roster.fileName, of: "the changes at run time", in: folder, isForced: true, limit: Self.fileLimit,
            observer: observer)
        guard let json = file.read() else { return }
        roster = Roster(json)
        let excess = roster.removeExcess(listed: listed)
        if excess != Roster() { Self.setAside(excess, in: folder) }
    }

    /// Stores what exceeds the limits in another file, so that a person can examine it.
    private static func setAside(_ excess: Roster, in folder: String) {
        let name = "devices.refused.json"
        let log = Log("state")
        let contents = "\(excess.added.count) added devices and the options of \(excess.options.count) devices"
        let reason = "they exceed the limits"
        var file = StateFile(name, of: "changes at run time that exceed the limits", in: folder)
        do throws(SystemError) {
            try file.replace(with: excess.json)
            log.error("\(contents) are not used: \(reason): they are in \(folder)/\(name)")
        } catch {
            log.error("\(error): \(contents) are lost: \(reason)")
        }
    }

    /// Stores another roster; another thread writes the file, because a memory card may take seconds.
    ///
    /// The calls must not overlap.
    ///
    /// - Throws: `SystemError` if the roster cannot be stored; the old roster stays in use.
    func save(_ roster: Roster) async throws(SystemError) {
        guard roster != self.roster else { return }
        try await file.replaceElsewhere(try file.replacement()) { roster.json }
        self.roster = roster
    }
}
