import Devices
import EventLoop
import JSON
import Log
import System

/// The roster in the state folder: `devices.json`.
struct RosterStore {
    private var file: StateFile
    private(set) var roster = Roster()

    /// The maximum size of the file in bytes, which is more than a roster within its limits needs.
    private static let fileLimit = 8 << 20

    /// Loads the roster of an earlier run; added devices that exceed the limits are set aside.
    init(in folder: String, observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile(
            "devices.json", of: "the changes at run time", in: folder, isForced: true, limit: Self.fileLimit,
            observer: observer)
        guard let json = file.read() else { return }
        roster = Roster(json)
        let excess = roster.removeExcess()
        if !excess.isEmpty { Self.setAside(excess, in: folder) }
    }

    /// Stores additions that exceed the limits in another file, so that a person can examine them.
    private static func setAside(_ additions: [Roster.Addition], in folder: String) {
        let name = "devices.refused.json"
        let log = Log("state")
        var refused = Roster()
        refused.added = additions
        var file = StateFile(name, of: "added devices that exceed the limits", in: folder)
        do throws(SystemError) {
            try file.replace(with: refused.json)
            log.error(
                "\(additions.count) added devices exceed the limits and are not used: their entries are in \(folder)/\(name)",
                ["device": additions[0].name])
        } catch {
            log.error("\(error): \(additions.count) added devices exceed the limits and are lost")
        }
    }

    /// Stores another roster.
    ///
    /// - Throws: `SystemError` if the roster cannot be stored; the old roster stays in use.
    mutating func save(_ roster: Roster) throws(SystemError) {
        guard roster != self.roster else { return }
        try file.replace(with: roster.json)
        self.roster = roster
    }
}
