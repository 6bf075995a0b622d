internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// The retained topics in the state folder: `retained.json`.
struct RetainedTopicsStore {
    private var file: StateFile
    private let log = Log("state")
    /// What is retained, by all that is known.
    private(set) var topics = RetainedTopics()
    /// Whether the last attempt failed: the first of several is told.
    private var isFailing = false

    /// Takes up what an earlier run left.
    init(in folder: String) {
        file = StateFile("retained.json", of: "what the broker keeps of us", in: folder)
        if let json = file.read() { topics = RetainedTopics(json) }
    }

    /// Writes down what may be retained by now, or will be, since it waits for the broker.
    mutating func add(_ more: [Topic]) {
        var all = topics
        all.own.formUnion(more.map(\.description))
        save(all)
    }

    /// Writes down what is retained now, if that is something else.
    mutating func save(_ now: RetainedTopics) {
        guard now != topics || isFailing else { return }
        topics = now
        do throws(EventLoopError) {
            try file.replace(with: now.json)
            isFailing = false
        } catch {
            if !isFailing { log.warning("\(error): topics of devices that are removed may stay at the broker") }
            isFailing = true
        }
    }
}
