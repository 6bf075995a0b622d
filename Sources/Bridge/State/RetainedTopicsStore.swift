import EventLoop
import JSON
import Log
import MQTT
import System

/// The retained topics in the state folder: `retained.json`.
struct RetainedTopicsStore {
    private var file: StateFile
    private let log = Log("state")
    /// The topics that are retained, as far as known.
    private(set) var topics = RetainedTopics()
    /// Whether the last attempt failed; only the first of several failures is logged.
    private var isFailing = false

    /// Loads the topics that an earlier run has stored.
    init(in folder: String) {
        file = StateFile("retained.json", of: "the retained topics", in: folder)
        if let json = file.read() { topics = RetainedTopics(json) }
    }

    /// Adds topics that may be retained by now, or will be when the broker receives them.
    mutating func add(_ more: [Topic]) {
        var all = topics
        all.own.formUnion(more.map(\.description))
        save(all)
    }

    /// Stores the topics that are retained now, if they have changed.
    mutating func save(_ now: RetainedTopics) {
        guard now != topics || isFailing else { return }
        topics = now
        do throws(SystemError) {
            try file.replace(with: now.json)
            isFailing = false
        } catch {
            if !isFailing { log.warning("\(error): the broker may keep the topics of removed devices") }
            isFailing = true
        }
    }
}
