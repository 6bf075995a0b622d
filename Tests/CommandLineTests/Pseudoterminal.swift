import Foundation

/// A terminal without a screen: what a program draws on it can be read.
final class Pseudoterminal {
    /// The program's side.
    let device: FileHandle
    private let screen: FileHandle
    private var drawn = ""

    /// Opens one of this size.
    init(columns: UInt16, rows: UInt16) throws {
        var (screen, device) = (Int32(-1), Int32(-1))
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&screen, &device, nil, nil, &size) == 0 else { throw POSIXError(.ENOTTY) }
        self.screen = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    }

    /// What has been drawn, as soon as a text is in it or nobody draws any more.
    func read(until text: String) -> String {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while !drawn.contains(text) {
            let count = Foundation.read(screen.fileDescriptor, &buffer, buffer.count)
            // EIO says that no program has the other side any longer.
            guard count > 0 else { break }
            drawn += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return drawn
    }

    /// What has been drawn since this was last called, as soon as a text is in it or nobody draws any more.
    func next(until text: String) -> String {
        drawn = ""
        return read(until: text)
    }

    /// Types a line, and Enter.
    func type(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = Foundation.write(screen.fileDescriptor, bytes, bytes.count)
    }
}
