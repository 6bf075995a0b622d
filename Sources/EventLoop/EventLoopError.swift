internal import Glibc

/// The system refused something that the loop needs.
package struct EventLoopError: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String, _ code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
    }
}
