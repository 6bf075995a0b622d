import Glibc

/// The failure of a call of the operating system.
package struct SystemError: Error, CustomStringConvertible {
    package let description: String
    /// The reason without the action: `No such file or directory`.
    package let reason: String
    /// The value of `errno`; nil if the failure has none.
    package let code: Int32?

    /// - Parameters:
    ///   - action: The failed action with the name of the object, e.g. `cannot read /etc/bluefleet/bluefleet.yaml`.
    ///   - code: The value of `errno`.
    package init(_ action: String, _ code: Int32) {
        self.init(action, reason: String(cString: strerror(code)), code)
    }

    package init(_ description: String) {
        self.description = description
        reason = description
        code = nil
    }

    init(_ action: String, reason: String, _ code: Int32? = nil) {
        description = "\(action): \(reason)"
        self.reason = reason
        self.code = code
    }
}
