import Codec

/// Collects the mistakes and warnings of one file, or of files that are read together, so that all are reported at once.
package final class Mistakes {
    /// The paths of the files; the position of a mistake contains the index.
    private(set) var files: [String]
    /// The files of the profiles that these files name.
    private(set) lazy var profiles = ProfileFiles(ProfileLibrary(beside: files[0]))
    /// Whether the files named in the configuration file must exist and have valid contents.
    package let checksFiles: Bool
    /// Whether a problem with a named file is only a warning: the configuration may be for another machine.
    private let toleratesMissingFiles: Bool
    /// The index of the file that is an entry or an option from a client of the broker; nil: there is none.
    private let clientFile: Int?
    // A profile is read again for each device that uses the profile. The sets report its mistakes only once.
    private var found: Set<Mistake> = []
    private var foundWarnings: Set<Mistake> = []
    private var formats: Set<Format> = []
    /// The positions of the unknown keys that are reported.
    private var unknownKeys: Set<Position> = []
    /// The positions of the unknown keys that are only counted.
    private var furtherUnknownKeys: Set<Position> = []
    /// The number of reported mistakes, including repetitions.
    private(set) var reports = 0

    package convenience init(in files: String..., checksFiles: Bool = false, toleratesMissingFiles: Bool = false) {
        self.init(in: files, checksFiles: checksFiles, toleratesMissingFiles: toleratesMissingFiles)
    }

    /// - Parameters:
    ///   - files: The paths of the files that are read together, in order; at least one.
    ///   - checksFiles: Whether the files named in these files must exist and have valid contents.
    ///   - toleratesMissingFiles: Whether a problem with a named file is only a warning.
    ///   - clientFile: The index of the file that is an entry or an option from a client of the broker; nil: there is
    ///     none.
    init(in files: [String], checksFiles: Bool, toleratesMissingFiles: Bool, clientFile: Int? = nil) {
        self.files = files
        self.checksFiles = checksFiles
        self.toleratesMissingFiles = toleratesMissingFiles
        self.clientFile = clientFile
    }

    /// Adds a file that one of the files names, and returns its index.
    func addFile(_ path: String) -> Int {
        files.append(path)
        return files.count - 1
    }

    // MARK: Clients of the broker

    /// The number of mistakes after which the rest of a client's entry is not checked.
    ///
    /// The advice in each message takes a few milliseconds, during which the gateway does nothing else.
    static let maximumOfClient = 20

    /// Whether the entry of a client has so many mistakes that the rest is not checked.
    var isFull: Bool { clientFile != nil && found.count >= Self.maximumOfClient }

    /// Returns whether a client of the broker has sent the value at a position.
    func isFromClient(_ position: Position) -> Bool { position.file == clientFile }

    /// The folder of the secrets that clients can name, with a slash at the end: `keys` in the folder of the first file.
    var keyFolder: String {
        let folder = files[0].lastIndex(of: "/").map { files[0][...$0] } ?? ""
        return folder + "keys/"
    }

    // MARK: Reporting

    package func report(_ message: String, at position: Position?, unreadable: String? = nil) {
        reports += 1
        if isFull { return }
        found.insert(Mistake(file: file(of: position), position: position, message: message, unreadable: unreadable))
    }

    /// Reports a warning: a valid value that is probably not intended.
    package func warn(_ message: String, at position: Position?) {
        foundWarnings.insert(Mistake(file: file(of: position), position: position, message: message))
    }

    /// Returns the path of the file of a position; that of the first file if the position is nil.
    func file(of position: Position?) -> String {
        files[position?.file ?? 0]
    }

    /// Returns a place for a message about another place: `line 3`, or `FILE:3` if the places are in different files.
    func place(_ position: Position, seenFrom other: Position) -> String {
        position.file == other.file ? "line \(position.line)" : "\(file(of: position)):\(position.line)"
    }

    /// Reports a problem with a file that is named in the configuration file; `unreadable` is its path if it is not readable.
    func reportFile(_ message: String, at position: Position, unreadable: String? = nil) {
        if toleratesMissingFiles {
            warn(message, at: position)
        } else {
            report(message, at: position, unreadable: unreadable)
        }
    }

    /// The maximum number of unknown keys that are reported; the others are counted.
    private static let mostUnknownKeys = 100

    /// Counts an unknown key; a profile is read again for each of its devices, and its keys count once.
    ///
    /// - Returns: Whether the key must be reported.
    func admitUnknownKey(at position: Position) -> Bool {
        if unknownKeys.contains(position) { return true }
        if unknownKeys.count < Self.mostUnknownKeys {
            unknownKeys.insert(position)
            return true
        }
        reports += 1
        furtherUnknownKeys.insert(position)
        return false
    }

    /// The mistake that counts the unknown keys beyond the maximum; nil if all are reported.
    private var unknownKeyCount: Mistake? {
        guard let first = furtherUnknownKeys.min() else { return nil }
        let count = furtherUnknownKeys.count
        let noun = count == 1 ? "1 further unknown key" : "\(count) further unknown keys"
        return Mistake(file: file(of: first), position: first, message: "\(noun), from here on")
    }

    /// Reports an unknown name; the advice is the most similar name of `names`, else all of them.
    package func reportUnknown(_ noun: String, _ name: String, among names: [String], at position: Position) {
        if isFull { return }
        report(InvalidValue(unknown: noun, name, among: names).message, at: position)
    }

    /// Returns the first format read from this file that is equal to a format, which may be the format itself.
    ///
    /// Devices with the same profile thus share one copy of its formats in memory.
    func shared(_ format: Format) -> Format {
        formats.insert(format).memberAfterInsert
    }

    package var isEmpty: Bool { found.isEmpty }

    /// The mistakes, in the order of the file; those beyond 1,000 are counted.
    package var sorted: [Mistake] {
        unknownKeyCount.map { found.union([$0]).inOrder } ?? found.inOrder
    }

    /// The warnings, in the order of the file; those beyond 1,000 are counted.
    package var warnings: [Mistake] { foundWarnings.inOrder }
}

extension Set<Mistake> {
    /// The maximum number of mistakes that are listed.
    private static let most = 1000

    fileprivate var inOrder: [Mistake] {
        let all = sorted { ($0.position ?? .start, $0.message) < ($1.position ?? .start, $1.message) }
        guard all.count > Self.most else { return all }
        let next = all[Self.most]
        let rest = "\(all.count - Self.most) further messages, from here on"
        return all.prefix(Self.most) + [Mistake(file: next.file, position: next.position, message: rest)]
    }
}
