import EventLoop
import Glibc

/// Questions on the terminal.
enum Prompt {
    /// Whether standard input and standard error are a terminal.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// Shows a question and calls `answer` on the loop with the typed line; nil if the terminal has been closed.
    ///
    /// The question replaces an earlier question without an answer, which bluetoothd has cancelled.
    static func ask(_ question: String, on loop: EventLoop, _ answer: @escaping (String?) -> Void) {
        loop.unwatch(STDIN_FILENO)
        // Input for an earlier question is discarded.
        tcflush(STDIN_FILENO, TCIFLUSH)
        Progress.clear()
        StandardStream.error.write("\(question) ")
        loop.watch(STDIN_FILENO, for: .readable) { _ in
            loop.unwatch(STDIN_FILENO)
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            answer(count > 0 ? String(line.prefix { !$0.isNewline }) : nil)
        }
    }
}
