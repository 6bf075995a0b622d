internal import EventLoop
internal import JSON
internal import Log

/// What was changed at run time, in the state folder: `devices.json`.
struct RosterStore {
    private let file: StateFile
    private let log = Log("state")
    private(set) var roster = Roster()

    /// Takes up what an earlier run left.
    init(in folder: String) {
        file = StateFile("devices.json", in: folder)
        guard let text = file.read() else { return }
        do throws(JSONError) {
            roster = Roster(try JSON(parsing: text, limit: StateFile.limit))
        } catch {
            log.error("\(file.path) is damaged: what was added at run time is not known any more: \(error)")
        }
    }

    /// Writes down a change; throws, and keeps what was, where that is not possible.
    mutating func save(_ roster: Roster) throws(EventLoopError) {
        guard roster != self.roster else { return }
        try file.replace(with: roster.json.description + "\n")
        self.roster = roster
    }
}
