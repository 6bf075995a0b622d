import Codec

/// Collects the mistakes and warnings of one file while it is read, so that all of them are reported at once.
package final class Mistakes {
    package let file: String
    /// Whether the files that the file names must exist and have valid contents.
    package let checksFiles: Bool
    /// Whether a problem with such a file is only a warning: the file may be for another machine.
    private let toleratesMissingFiles: Bool
    // Sets: a profile is read again for each device that uses it, and the same mistake is reported once.
    private var found: Set<Mistake> = []
    private var foundWarnings: Set<Mistake> = []
    private var formats: Set<Format> = []
    /// The number of reported mistakes, repeated ones included.
    private(set) var reports = 0

    package init(in file: String, checksFiles: Bool = false, toleratesMissingFiles: Bool = false) {
        self.file = file
        self.checksFiles = checksFiles
        self.toleratesMissingFiles = toleratesMissingFiles
    }

    package func report(_ message: String, at position: Position?) {
        reports += 1
        found.insert(Mistake(file: file, position: position, message: message))
    }

    /// Reports a warning: a valid value that is probably not intended.
    package func warn(_ message: String, at position: Position?) {
        foundWarnings.insert(Mistake(file: file, position: position, message: message))
    }

    /// Reports a problem with a file that the file names.
    func reportFile(_ message: String, at position: Position) {
        if toleratesMissingFiles { warn(message, at: position) } else { report(message, at: position) }
    }

    /// Reports an unknown name, with the most similar one of `names` as advice.
    package func reportUnknown(_ noun: String, _ name: String, among names: [String], at position: Position) {
        report(InvalidValue(unknown: noun, name, among: names).message, at: position)
    }

    /// Returns the equal format that was read before, or this one if there is none.
    ///
    /// Devices that share a profile then share one copy of its formats in memory.
    func shared(_ format: Format) -> Format {
        formats.insert(format).memberAfterInsert
    }

    package var isEmpty: Bool { found.isEmpty }

    /// All mistakes, in the order of the file.
    package var sorted: [Mistake] { found.inOrder }

    /// All warnings, in the order of the file.
    package var warnings: [Mistake] { foundWarnings.inOrder }
}

extension Set<Mistake> {
    fileprivate var inOrder: [Mistake] {
        sorted { ($0.position ?? .start, $0.message) < ($1.position ?? .start, $1.message) }
    }
}
