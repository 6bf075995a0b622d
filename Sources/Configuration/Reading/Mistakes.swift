internal import Codec

/// Collects what is wrong with one file while it is read, so that all of it is reported at once.
package final class Mistakes {
    package let file: String
    /// Whether files that the file names must exist and be readable.
    package let checksFiles: Bool
    /// Whether it is no mistake when they do not or are not: they may be on another machine.
    private let excusesFiles: Bool
    // Profiles are read once for each device that uses them: the same mistake counts once.
    private var found: Set<Mistake> = []
    private var doubts: Set<Mistake> = []
    /// The formats that were read: devices of a kind, each of which reads its profile, are to share one in memory.
    var formats: Set<Format> = []
    /// How often anything was reported, repeated or not.
    private(set) var reports = 0

    package init(in file: String, checksFiles: Bool = false, excusesFiles: Bool = false) {
        self.file = file
        self.checksFiles = checksFiles
        self.excusesFiles = excusesFiles
    }

    package func report(_ message: String, at position: Position?) {
        reports += 1
        found.insert(Mistake(file: file, position: position, message: message))
    }

    /// Reports what is no mistake, and most likely not what its author means.
    package func warn(_ message: String, at position: Position?) {
        doubts.insert(Mistake(file: file, position: position, message: message))
    }

    /// Reports what is wrong with a file that the file names.
    func reportFile(_ message: String, at position: Position) {
        if excusesFiles { warn(message, at: position) } else { report(message, at: position) }
    }

    /// Reports a name that is none of `names`, with the one that was probably meant.
    package func reportUnknown(_ noun: String, _ name: String, among names: [String], at position: Position) {
        report(Complaint(unknown: noun, name, among: names).sentence, at: position)
    }

    package var isEmpty: Bool { found.isEmpty }

    /// All mistakes, in the order of the file.
    package var sorted: [Mistake] { found.inOrder }

    /// All that was warned of, in the order of the file.
    package var warnings: [Mistake] { doubts.inOrder }
}

extension Set<Mistake> {
    fileprivate var inOrder: [Mistake] {
        sorted { ($0.position ?? .start, $0.message) < ($1.position ?? .start, $1.message) }
    }
}
