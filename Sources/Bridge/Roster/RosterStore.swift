internal import EventLoop
internal import JSON

/// What was changed at run time, in the state folder: `devices.json`.
struct RosterStore {
    private var file: StateFile
    private(set) var roster = Roster()

    /// Takes up what an earlier run left.
    init(in folder: String) {
        file = StateFile("devices.json", of: "what was changed at run time", in: folder, isForced: true)
        if let json = file.read() { roster = Roster(json) }
    }

    /// Writes down a change; throws, and keeps what was, where that is not possible.
    mutating func save(_ roster: Roster) throws(EventLoopError) {
        guard roster != self.roster else { return }
        try file.replace(with: roster.json)
        self.roster = roster
    }
}
