import CDBus
import Glibc

/// One D-Bus message: a call, a reply, an error or a signal.
///
/// Only the creator of a message changes the message, and only before it is sent. Afterwards it is safe to share.
package final class Message: @unchecked Sendable {
    package enum Kind: Sendable {
        case call, reply, error, signal, other
    }

    /// The message of libdbus; nil only between `release` and `fill`.
    private var content: OpaquePointer?

    /// The message of libdbus.
    var pointer: OpaquePointer { content.unsafelyUnwrapped }

    /// Takes ownership of the caller's reference.
    init(owning pointer: OpaquePointer) {
        content = pointer
    }

    deinit {
        release()
    }

    /// Releases the message of libdbus; the object is then empty and must not be used until `fill`.
    ///
    /// - Precondition: The caller holds the only reference to this object.
    func release() {
        if let content { dbus_message_unref(content) }
        content = nil
    }

    /// Fills the empty object with another message, and takes ownership of the caller's reference.
    func fill(with other: OpaquePointer) {
        content = other
    }

    /// Creates a method call.
    ///
    /// - Throws: `DBusError` if a name is not valid on D-Bus. (libdbus would end the process.)
    package init(
        call member: String, on interface: String, at path: String, of destination: String,
        _ arguments: [Variant] = []
    ) throws(DBusError) {
        try Self.require(dbus_validate_bus_name(destination, nil), "bus name", destination)
        try Self.require(dbus_validate_path(path, nil), "object path", path)
        try Self.require(dbus_validate_interface(interface, nil), "interface", interface)
        try Self.require(dbus_validate_member(member, nil), "member", member)
        content = Self.allocated(dbus_message_new_method_call(destination, path, interface, member))
        try append(arguments)
    }

    /// Creates a signal.
    ///
    /// - Parameters:
    ///   - member: The name of the signal.
    ///   - interface: The interface of the signal.
    ///   - path: The object that sends it.
    ///   - destination: The only connection that receives it; nil: all connections with a matching rule.
    ///   - arguments: The values in the message.
    /// - Throws: `DBusError` if a name is not valid on D-Bus.
    package init(
        signal member: String, on interface: String, at path: String, to destination: String? = nil,
        _ arguments: [Variant] = []
    ) throws(DBusError) {
        if let destination { try Self.require(dbus_validate_bus_name(destination, nil), "bus name", destination) }
        try Self.require(dbus_validate_path(path, nil), "object path", path)
        try Self.require(dbus_validate_interface(interface, nil), "interface", interface)
        try Self.require(dbus_validate_member(member, nil), "member", member)
        content = Self.allocated(dbus_message_new_signal(path, interface, member))
        if let destination { dbus_message_set_destination(pointer, destination) }
        try append(arguments)
    }

    /// Creates the reply to a call.
    package init(replyingTo call: Message, _ arguments: [Variant] = []) throws(DBusError) {
        content = Self.allocated(dbus_message_new_method_return(call.pointer))
        try append(arguments)
    }

    /// Creates the error reply to a call.
    package init(answering call: Message, with error: DBusError) {
        let name = dbus_validate_error_name(error.name, nil) != 0 ? error.name : DBusError.failed
        let text = error.message.contains("\0") ? "" : error.message
        content = Self.allocated(dbus_message_new_error(call.pointer, name, text))
    }

    package var kind: Kind {
        switch dbus_message_get_type(pointer) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .reply
        case DBUS_MESSAGE_TYPE_ERROR: .error
        case DBUS_MESSAGE_TYPE_SIGNAL: .signal
        default: .other
        }
    }

    package var path: String { Self.text(dbus_message_get_path(pointer)) }

    /// Calls `body` with the bytes of the path, without copying them; an empty span if the message has no path.
    package func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        guard let path = dbus_message_get_path(pointer) else { return body(Span()) }
        let bytes = UnsafeRawPointer(path).assumingMemoryBound(to: UInt8.self)
        return body(UnsafeBufferPointer(start: bytes, count: strlen(path)).span)
    }

    package var interface: String { Self.text(dbus_message_get_interface(pointer)) }
    package var member: String { Self.text(dbus_message_get_member(pointer)) }
    package var sender: String { Self.text(dbus_message_get_sender(pointer)) }
    package var signature: String { Self.text(dbus_message_get_signature(pointer)) }
    /// Whether the caller waits for a reply.
    package var expectsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }

    /// Returns whether the message is the signal `member` of `interface`, without creating a string.
    package func isSignal(_ member: StaticString, on interface: StaticString) -> Bool {
        Self.isText(dbus_message_get_member(pointer), member)
            && Self.isText(dbus_message_get_interface(pointer), interface)
            && dbus_message_get_type(pointer) == DBUS_MESSAGE_TYPE_SIGNAL
    }

    /// Returns whether the connection with this unique name sent the message; the bus guarantees the sender's name.
    package func isSent(by name: String) -> Bool {
        guard let sender = dbus_message_get_sender(pointer) else { return false }
        return name.withCString { strcmp(sender, $0) == 0 }
    }

    private static func isText(_ found: UnsafePointer<CChar>?, _ text: StaticString) -> Bool {
        guard let found else { return false }
        return strcmp(found, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
    }

    /// The error in an error reply.
    package var error: DBusError {
        let text = arguments.first?.text ?? ""
        return DBusError(Self.text(dbus_message_get_error_name(pointer)), text)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }

    private static func allocated(_ pointer: OpaquePointer?) -> OpaquePointer {
        guard let pointer else { preconditionFailure("out of memory: cannot create a D-Bus message") }
        return pointer
    }

    private static func require(_ valid: dbus_bool_t, _ what: String, _ value: String) throws(DBusError) {
        // libdbus reads only up to a NUL, and would validate another text than the caller's.
        guard valid != 0, !value.utf8.contains(0) else {
            throw DBusError(DBusError.invalidArguments, "“\(value)” is not a valid D-Bus \(what)")
        }
    }
}
