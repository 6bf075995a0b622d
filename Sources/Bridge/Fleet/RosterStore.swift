import EventLoop
import JSON
import System

/// The roster in the state folder: `devices.json`.
struct RosterStore {
    private var file: StateFile
    private(set) var roster = Roster()

    /// Loads the roster of an earlier run.
    init(in folder: String) {
        file = StateFile("devices.json", of: "the changes at run time", in: folder, isForced: true)
        if let json = file.read() { roster = Roster(json) }
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
