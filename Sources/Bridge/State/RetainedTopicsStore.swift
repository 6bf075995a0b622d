import EventLoop
import HomeAssistant
import JSON
import Log
import MQTT
import System

/// The store of the retained topics: the file `retained.json` in the state folder.
struct RetainedTopicsStore {
    private var file: StateFile
    /// The topics on which the broker may retain messages.
    private(set) var topics = RetainedTopics()
    /// Loads the topics that an earlier run has stored.
    init(in folder: String, observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile("retained.json", of: "the retained topics", in: folder, observer: observer)
        if let json = file.read() { topics = RetainedTopics(json) }
    }

    /// Adds topics of retained messages that the broker has received or will receive.
    mutating func add(_ more: [Topic]) {
        var all = topics
        all.keep(Set(more.map(\.description)))
        save(all)
    }

    /// Stores the topics on which messages are retained now, if they have changed or the last attempt to write failed.
    mutating func save(_ now: RetainedTopics) {
        guard now != topics || file.isFailing else { return }
        topics = now
        file.store(now.json, orLog: "the broker may keep the topics of removed devices")
    }
}
