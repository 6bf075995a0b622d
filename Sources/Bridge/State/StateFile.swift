internal import EventLoop
internal import Glibc
internal import JSON
internal import Log

/// A small file of the state folder: read as a whole, replaced as a whole.
struct StateFile {
    /// More than a fleet of a thousand devices comes to, in bytes; what is longer is none of ours.
    private static let limit = 64 << 20
    /// More levels than a request has (32), of which some files keep a part below others.
    private static let depth = 64

    private let path: String
    private let folder: String
    private let contents: String
    private let isForced: Bool
    private let log = Log("state")
    /// Why what is in it is not known, though it may be in order.
    private var obstacle: EventLoopError?
    private var isDamaged = false

    /// - Parameters:
    ///   - contents: what is in it, for those who read the log.
    ///   - folder: the state folder; it is made when there is something to put into it.
    ///   - isForced: whether it is forced onto the disk. That stops everything for as long as a memory card likes: it is for
    ///     what is rarely written and cannot be done without.
    init(_ name: String, of contents: String, in folder: String, isForced: Bool = false) {
        self.contents = contents
        self.folder = folder
        self.isForced = isForced
        path = "\(folder)/\(name)"
    }

    /// What is in it, an object; nil if there is no such file, or none that can be used, which the log tells.
    mutating func read() -> JSON? {
        do throws(EventLoopError) {
            guard let text = try TextFile.read(ifPresent: path) else { return nil }
            return parse(text)
        } catch {
            log.error("\(error): \(contents): not known, and nothing new is kept before the next start")
            obstacle = error
            return nil
        }
    }

    private mutating func parse(_ text: String) -> JSON? {
        do throws(JSONError) {
            let json = try JSON(parsing: text, limit: Self.limit, depth: Self.depth)
            guard json.object != nil else { throw JSONError(offset: 0, reason: "an object was expected") }
            return json
        } catch {
            log.error("\(path) is damaged: \(error): \(contents): not known any more")
            isDamaged = true
            return nil
        }
    }

    /// Puts `json` in the place of what was in it; whoever reads finds the one or the other.
    ///
    /// What could not be read is left as it is; what is damaged is kept beside.
    ///
    /// - Throws: `EventLoopError` that names the file.
    mutating func replace(with json: JSON) throws(EventLoopError) {
        if let obstacle { throw obstacle }
        if isDamaged { try setAside() }
        // One that is there already stays as it is; one that cannot be made shows with the file.
        _ = unsafe mkdir(folder, 0o700)
        try writeFile(json.description + "\n", to: path + ".new", isForced: isForced)
        guard unsafe rename(path + ".new", path) == 0 else { throw EventLoopError("cannot write \(path)", errno) }
        if isForced { forceFolder() }
    }

    /// For a person to look at.
    private mutating func setAside() throws(EventLoopError) {
        guard unsafe rename(path, path + ".damaged") == 0 || errno == ENOENT else {
            throw EventLoopError("cannot keep the damaged \(path)", errno)
        }
        isDamaged = false
        log.warning("\(path) is begun anew: what was in it is in \(path).damaged")
    }

    /// The file has its name on the disk as well; file systems that cannot do that on demand do it by themselves.
    private func forceFolder() {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
