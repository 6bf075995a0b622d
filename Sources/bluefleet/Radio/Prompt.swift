internal import EventLoop
internal import Glibc

/// Asks whoever sits at the terminal.
enum Prompt {
    /// Whether there is anybody to ask.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// Shows a question, and calls `answer`, on the loop, with the line that is typed; nil when the terminal is gone.
    ///
    /// It takes the place of a question that stands: bluetoothd has taken that back.
    static func ask(_ question: String, on loop: EventLoop, _ answer: @escaping (String?) -> Void) {
        loop.unwatch(STDIN_FILENO)
        // What was typed for another question is no answer to this one.
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
