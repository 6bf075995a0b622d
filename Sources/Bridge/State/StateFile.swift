import EventLoop
import Glibc
import JSON
import Log
import System

/// A small file of the state folder: read as a whole, replaced as a whole.
struct StateFile {
    /// The maximum size of a file in bytes if it has no limit of its own: more than a fleet of a thousand devices needs.
    private static let standardLimit = 64 << 20
    /// The maximum depth of the JSON: some files contain requests, which have up to 32 levels, below other levels.
    private static let depth = 64

    /// The maximum number of JSON values: each takes about 0.2 kB of memory while the file is loaded, so that a file of
    /// short values needs far more memory than its size.
    private static let mostValues = 300_000

    /// Called with the error of each failed access to a file.
    typealias Observer = (SystemError) -> Void

    private let path: String
    private let folder: String
    private let contents: String
    private let isForced: Bool
    private let limit: Int
    private let observer: Observer
    private let log = Log("state")
    /// The reason why the file could not be read, although its contents may be valid; nil if there is none.
    private var obstacle: SystemError?
    private var isDamaged = false
    /// Whether the last call of `store` has failed.
    private(set) var isFailing = false

    /// - Parameters:
    ///   - name: the name of the file.
    ///   - contents: a description of the contents for the log.
    ///   - folder: the state folder; the first write creates it.
    ///   - isForced: whether each write waits for the disk, not only the first one. A memory card may block the gateway
    ///     for seconds, so this is for files that are rarely written and must not be lost.
    ///   - limit: the maximum size in bytes; a larger file counts as damaged.
    ///   - observer: called with the error of each failed access.
    init(
        _ name: String, of contents: String, in folder: String, isForced: Bool = false, limit: Int = standardLimit,
        observer: @escaping Observer = { _ in }
    ) {
        self.observer = observer
        self.limit = limit
        self.contents = contents
        self.folder = folder
        self.isForced = isForced
        path = "\(folder)/\(name)"
    }

    /// Returns the JSON object of the file; nil if the file is missing or not usable.
    ///
    /// The log reports a file that is not usable.
    mutating func read() -> JSON? {
        do throws(SystemError) {
            guard let text = try PrivateFile.read(ifPresent: path, limit: limit) else { return nil }
            return parse(text)
        } catch {
            log.error("\(error): \(contents) cannot be loaded, and are not stored until the next start")
            obstacle = error
            observer(error)
            return nil
        }
    }

    /// Returns the JSON of a file; nil if the file is missing or not usable.
    static func contents(of path: String) -> JSON? {
        TextFile.read(path).flatMap { try? json(in: $0, limit: standardLimit) }
    }

    /// - Throws: `JSONError` also if the JSON has too many values.
    private static func json(in text: String, limit: Int) throws(JSONError) -> JSON {
        guard text.hasAtMostValues(mostValues) else {
            throw JSONError(offset: 0, reason: "it has more than \(mostValues) values")
        }
        return try JSON(parsing: text, limit: limit, depth: depth)
    }

    private mutating func parse(_ text: String) -> JSON? {
        do throws(JSONError) {
            let json = try Self.json(in: text, limit: limit)
            guard json.object != nil else { throw JSONError(offset: 0, reason: "an object was expected") }
            return json
        } catch {
            log.error("\(path) is damaged: \(error): \(contents) are lost")
            isDamaged = true
            return nil
        }
    }

    /// Replaces the contents of the file; a reader finds either the old or the new contents.
    ///
    /// A file that could not be read is not changed. A damaged file is kept under another name.
    ///
    /// - Throws: `SystemError` with the path of the file.
    mutating func replace(with json: JSON) throws(SystemError) {
        do throws(SystemError) {
            try replacement().write(json)
        } catch {
            observer(error)
            throw error
        }
    }

    /// Replaces the contents of the file like `replace(with:)`.
    ///
    /// - Parameters:
    ///   - replacement: A replacement of this file.
    ///   - json: Returns the contents; called on another thread.
    /// - Throws: `SystemError` with the path of the file.
    func replaceElsewhere(
        _ replacement: Replacement, with json: @escaping @Sendable () -> JSON
    ) async throws(SystemError) {
        let result = await BackgroundThread.run { () -> Result<Void, SystemError> in
            do throws(SystemError) {
                return .success(try replacement.write(json()))
            } catch {
                return .failure(error)
            }
        }
        guard case .failure(let error) = result else { return }
        observer(error)
        throw error
    }

    /// Replaces the contents of the file like `replace(with:)`; logs the first of consecutive failures.
    ///
    /// - Parameters:
    ///   - json: The contents.
    ///   - effect: What follows from a failure, for the log.
    /// - Returns: Whether the contents are stored.
    @discardableResult
    mutating func store(_ json: JSON, orLog effect: String) -> Bool {
        do throws(SystemError) {
            try replace(with: json)
            isFailing = false
        } catch {
            if !isFailing { log.warning("\(error): \(effect)") }
            isFailing = true
        }
        return !isFailing
    }

    /// Returns the next replacement of the file, after a damaged file was renamed.
    ///
    /// - Throws: `SystemError` if the file must not be replaced.
    mutating func replacement() throws(SystemError) -> Replacement {
        if let obstacle { throw obstacle }
        if isDamaged { try setAside() }
        return Replacement(path: path, folder: folder, isForced: isForced)
    }

    /// Renames the damaged file, so that a person can examine it.
    private mutating func setAside() throws(SystemError) {
        guard unsafe rename(path, path + ".damaged") == 0 || errno == ENOENT else {
            throw SystemError("cannot keep the damaged \(path)", errno)
        }
        isDamaged = false
        log.warning("\(path) starts empty: its damaged contents are in \(path).damaged")
    }
}

/// The replacement of a file of the state folder, on any thread.
struct Replacement: Sendable {
    fileprivate let path: String
    fileprivate let folder: String
    fileprivate let isForced: Bool

    fileprivate func write(_ json: JSON) throws(SystemError) {
        // An existing folder is not changed. If the folder cannot be created, writing the file fails.
        _ = unsafe mkdir(folder, 0o700)
        // At a power cut, ext4 keeps the old or the new contents of a replaced file, but a new file can become empty.
        let isNew = unsafe access(path, F_OK) != 0
        try PrivateFile.write(json.description + "\n", to: path + ".new", isSynced: isForced || isNew)
        guard unsafe rename(path + ".new", path) == 0 else { throw SystemError("cannot write \(path)", errno) }
        if isForced { forceFolder() }
    }

    /// Waits until the directory entry of the file is on the disk.
    ///
    /// Errors are ignored: some file systems do not support this operation and do not need it.
    private func forceFolder() {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

extension String {
    /// Returns whether a JSON text has at most `limit` values, without parsing it.
    fileprivate func hasAtMostValues(_ limit: Int) -> Bool {
        var count = 1
        var isText = false
        var isEscaped = false
        for byte in utf8 {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isText { count += 1 }
                if count > limit { return false }
            default: break
            }
        }
        return true
    }
}
