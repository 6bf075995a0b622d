internal import EventLoop
internal import Glibc

/// A small file of the state folder: read as a whole, replaced as a whole.
struct StateFile {
    /// More than a fleet of a thousand devices comes to, in bytes; what is longer is none of ours.
    static let limit = 64 << 20

    let path: String
    private let folder: String

    /// - Parameter folder: the state folder; it is made when there is something to put into it.
    init(_ name: String, in folder: String) {
        self.folder = folder
        path = "\(folder)/\(name)"
    }

    /// What is in it; nil if there is no such file, or none that may be read.
    func read() -> String? { TextFile.read(path) }

    /// Puts `text` in the place of what was in it; whoever reads finds the one or the other.
    ///
    /// The file is not forced onto the disk: that would stop everything for as long as a memory card likes, and what is
    /// kept here can be done without.
    ///
    /// - Throws: `EventLoopError` that names the file.
    func replace(with text: String) throws(EventLoopError) {
        // One that is there already stays as it is; one that cannot be made shows with the file.
        _ = unsafe mkdir(folder, 0o700)
        try writeFile(text, to: path + ".new")
        guard unsafe rename(path + ".new", path) == 0 else { throw EventLoopError("cannot write \(path)", errno) }
    }
}
