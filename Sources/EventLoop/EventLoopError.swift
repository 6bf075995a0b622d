internal import Glibc

/// The system refused something that the loop needs.
package struct EventLoopError: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String, _ code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
    }

    package init(_ description: String) {
        self.description = description
    }

    /// A program has ended that was to run on; the last line of its log tells why.
    package init(endOf program: String, log: String) {
        let reason = (TextFile.read(log) ?? "").split(separator: "\n").last
        description = "\(program) ended at once" + (reason.map { ": \($0)" } ?? "")
    }
}
