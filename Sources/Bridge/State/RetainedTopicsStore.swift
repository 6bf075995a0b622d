internal import EventLoop
internal import JSON
internal import Log

/// The retained topics in the state folder: `retained.json`.
struct RetainedTopicsStore {
    private let file: StateFile
    private let log = Log("state")
    /// What is retained, by all that is known.
    private(set) var topics = RetainedTopics()
    /// Whether the last attempt failed: the first of several is told.
    private var isFailing = false

    /// Takes up what an earlier run left.
    init(in folder: String) {
        file = StateFile("retained.json", in: folder)
        guard let bytes = file.read() else { return }
        do throws(JSONError) {
            topics = RetainedTopics(try JSON(parsing: bytes, limit: StateFile.limit))
        } catch {
            log.warning("\(file.path) is damaged, and begun anew: \(error)")
        }
    }

    /// Writes down what is retained now, if that is something else.
    mutating func save(_ now: RetainedTopics) {
        guard now != topics || isFailing else { return }
        topics = now
        do throws(EventLoopError) {
            try file.replace(with: now.json.description + "\n")
            isFailing = false
        } catch {
            if !isFailing { log.warning("\(error): topics of devices that are removed may stay at the broker") }
            isFailing = true
        }
    }
}
