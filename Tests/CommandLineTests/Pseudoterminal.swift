import Foundation

/// A pseudoterminal, which records the output of a program.
final class Pseudoterminal {
    /// The side of the program.
    let device: FileHandle
    private let screen: FileHandle
    private var drawn = ""

    /// Opens a pseudoterminal of a size.
    init(columns: UInt16, rows: UInt16) throws {
        var (screen, device) = (Int32(-1), Int32(-1))
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&screen, &device, nil, nil, &size) == 0 else { throw POSIXError(.ENOTTY) }
        self.screen = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    }

    /// Returns all output as soon as it contains a text, or when the program closes the terminal.
    func read(until text: String) -> String {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while !drawn.contains(text) {
            let count = Foundation.read(screen.fileDescriptor, &buffer, buffer.count)
            // EIO means that no program has the other side open.
            guard count > 0 else { break }
            drawn += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return drawn
    }

    /// Returns the output since the last call as soon as it contains a text, or when the program closes the terminal.
    func next(until text: String) -> String {
        drawn = ""
        return read(until: text)
    }

    /// Closes the side of the program, which must have ended, and returns all output.
    func rest() throws -> String {
        try device.close()
        return read(until: "\u{0}")
    }

    /// Types a line, and Enter.
    func type(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = Foundation.write(screen.fileDescriptor, bytes, bytes.count)
    }
}
