/// A call that failed: the peer, the bus or the connection reported an error.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the error: `org.bluez.Error.InProgress`.
    package var name: String
    /// The text that the sender of the error added.
    package var message: String

    package init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    package var description: String {
        // After a semicolon dbus-daemon describes, in several lines, the message that its policy rejects.
        let sentence = name == Self.accessDenied ? message.prefix { $0 != ";" } : message[...]
        return sentence.isEmpty ? name : "\(sentence) (\(name))"
    }
}
