internal import CDBus
internal import Glibc

/// One D-Bus message: a call, a reply, an error or a signal.
///
/// It is built by one owner and not changed after it was sent, so that it may be handed about.
package final class Message: @unchecked Sendable {
    package enum Kind: Sendable {
        case call, reply, error, signal, other
    }

    private(set) var pointer: OpaquePointer

    /// Takes over a reference that the caller holds.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        dbus_message_unref(pointer)
    }

    /// Becomes another message, of which it takes over a reference; for who alone holds it.
    func become(_ other: OpaquePointer) {
        dbus_message_unref(pointer)
        pointer = other
    }

    /// A method call.
    ///
    /// - Throws: `DBusError` when one of the names is not valid on D-Bus. (libdbus would end the process.)
    package init(
        call member: String, on interface: String, at path: String, of destination: String,
        _ arguments: [Variant] = []
    ) throws(DBusError) {
        try Self.require(dbus_validate_bus_name(destination, nil), "bus name", destination)
        try Self.require(dbus_validate_path(path, nil), "object path", path)
        try Self.require(dbus_validate_interface(interface, nil), "interface", interface)
        try Self.require(dbus_validate_member(member, nil), "member", member)
        pointer = Self.allocated(dbus_message_new_method_call(destination, path, interface, member))
        try append(arguments)
    }

    /// A signal: to all who want it, or to one connection, wanted or not.
    package init(
        signal member: String, on interface: String, at path: String, to destination: String? = nil,
        _ arguments: [Variant] = []
    ) throws(DBusError) {
        if let destination { try Self.require(dbus_validate_bus_name(destination, nil), "bus name", destination) }
        try Self.require(dbus_validate_path(path, nil), "object path", path)
        try Self.require(dbus_validate_interface(interface, nil), "interface", interface)
        try Self.require(dbus_validate_member(member, nil), "member", member)
        pointer = Self.allocated(dbus_message_new_signal(path, interface, member))
        if let destination { dbus_message_set_destination(pointer, destination) }
        try append(arguments)
    }

    /// The reply to a call.
    package init(replyingTo call: Message, _ arguments: [Variant] = []) throws(DBusError) {
        pointer = Self.allocated(dbus_message_new_method_return(call.pointer))
        try append(arguments)
    }

    /// The error that answers a call.
    package init(answering call: Message, with error: DBusError) {
        let name = dbus_validate_error_name(error.name, nil) != 0 ? error.name : "org.freedesktop.DBus.Error.Failed"
        let text = error.message.contains("\0") ? "" : error.message
        pointer = Self.allocated(dbus_message_new_error(call.pointer, name, text))
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

    /// Hands over the path's bytes where they are; none where the message has no path.
    package func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        guard let path = dbus_message_get_path(pointer) else { return body(Span()) }
        let bytes = UnsafeRawPointer(path).assumingMemoryBound(to: UInt8.self)
        return body(UnsafeBufferPointer(start: bytes, count: strlen(path)).span)
    }

    package var interface: String { Self.text(dbus_message_get_interface(pointer)) }
    package var member: String { Self.text(dbus_message_get_member(pointer)) }
    package var sender: String { Self.text(dbus_message_get_sender(pointer)) }
    package var signature: String { Self.text(dbus_message_get_signature(pointer)) }
    /// Whether the caller wants to hear the outcome.
    package var expectsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }

    /// Whether this is the signal named, without making a string of anything.
    package func isSignal(_ member: StaticString, on interface: StaticString) -> Bool {
        Self.isText(dbus_message_get_member(pointer), member)
            && Self.isText(dbus_message_get_interface(pointer), interface)
            && dbus_message_get_type(pointer) == DBUS_MESSAGE_TYPE_SIGNAL
    }

    /// Whether it comes from the connection with this unique name, for which the bus vouches.
    package func isSent(by name: String) -> Bool {
        guard let sender = dbus_message_get_sender(pointer) else { return false }
        return name.withCString { strcmp(sender, $0) == 0 }
    }

    private static func isText(_ found: UnsafePointer<CChar>?, _ text: StaticString) -> Bool {
        guard let found else { return false }
        return strcmp(found, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
    }

    /// The error that an error message carries.
    package var error: DBusError {
        let text = arguments.first?.text ?? ""
        return DBusError(Self.text(dbus_message_get_error_name(pointer)), text)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }

    private static func allocated(_ pointer: OpaquePointer?) -> OpaquePointer {
        guard let pointer else { preconditionFailure("no memory for a D-Bus message") }
        return pointer
    }

    private static func require(_ valid: dbus_bool_t, _ what: String, _ value: String) throws(DBusError) {
        // A NUL ends the text for C: what libdbus has seen is not what the caller meant.
        guard valid != 0, !value.utf8.contains(0) else {
            throw DBusError(DBusError.invalidArguments, "“\(value)” is not a valid D-Bus \(what)")
        }
    }
}
