import CDBus
import Glibc

/// A cursor over the arguments of a message, or over the contents of one argument.
package struct MessageReader {
    // The iterator points into the message, so the message must not be freed earlier.
    private let message: Message
    private var iterator = DBusMessageIter()

    init(_ message: Message) {
        self.message = message
        dbus_message_iter_init(message.pointer, &iterator)
    }

    private init(_ message: Message, _ iterator: DBusMessageIter) {
        self.message = message
        self.iterator = iterator
    }

    private var type: Int32 {
        mutating get { dbus_message_iter_get_arg_type(&iterator) }
    }

    /// Whether the cursor is after the last value.
    package var isAtEnd: Bool {
        mutating get { type == bluefleet_DBUS_TYPE_INVALID }
    }

    /// Copies the value at the cursor and moves to the next one; nil at the end.
    package mutating func next() -> Variant? {
        guard let value = current() else { return nil }
        dbus_message_iter_next(&iterator)
        return value
    }

    /// Moves to the next value without reading.
    package mutating func skip() {
        dbus_message_iter_next(&iterator)
    }

    /// Returns whether the string at the cursor is `text`, without creating a string.
    package mutating func isText(_ text: String) -> Bool {
        guard type == bluefleet_DBUS_TYPE_STRING, let found = basic(nil as UnsafePointer<CChar>?) else { return false }
        return text.withCString { strcmp(found, $0) == 0 }
    }

    /// Calls `body` with the bytes (`ay`) at the cursor, without copying them; nil if the value has another type.
    package mutating func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        guard type == bluefleet_DBUS_TYPE_ARRAY,
            dbus_message_iter_get_element_type(&iterator) == bluefleet_DBUS_TYPE_BYTE
        else { return nil }
        return body(bytes().span)
    }

    /// The bytes at the cursor, in the message's memory.
    private mutating func bytes() -> UnsafeBufferPointer<UInt8> {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        var base: UnsafePointer<UInt8>?
        var count: Int32 = 0
        withUnsafeMutablePointer(to: &base) { dbus_message_iter_get_fixed_array(&inner, $0, &count) }
        return UnsafeBufferPointer(start: base, count: Int(count))
    }

    /// Returns whether the object path at the cursor is below `path`, without creating a string.
    package mutating func isPath(below path: String) -> Bool {
        guard type == bluefleet_DBUS_TYPE_OBJECT_PATH else { return false }
        guard let text = basic(nil as UnsafePointer<CChar>?) else { return false }
        var position = text
        for byte in path.utf8 {
            // The text ends with a zero, which no path contains.
            guard UInt8(bitPattern: position.pointee) == byte else { return false }
            position += 1
        }
        return UInt8(bitPattern: position.pointee) == UInt8(ascii: "/")
    }

    /// Returns a cursor over the contents of the array, structure, entry or variant at the cursor.
    ///
    /// This cursor does not move.
    package mutating func contents() -> MessageReader {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        return MessageReader(message, inner)
    }

    /// Returns a cursor over the contents of the value at the cursor, and moves this cursor to the next value.
    package mutating func enter() -> MessageReader {
        let inner = contents()
        skip()
        return inner
    }

    private mutating func basic<Basic>(_ initial: Basic) -> Basic {
        var value = initial
        withUnsafeMutablePointer(to: &value) { dbus_message_iter_get_basic(&iterator, $0) }
        return value
    }

    private mutating func text() -> String {
        basic(nil as UnsafePointer<CChar>?).map { String(cString: $0) } ?? ""
    }

    private mutating func current() -> Variant? {
        switch type {
        case bluefleet_DBUS_TYPE_BYTE: return .byte(basic(0))
        case bluefleet_DBUS_TYPE_BOOLEAN: return .boolean(basic(UInt32(0)) != 0)
        case bluefleet_DBUS_TYPE_INT16: return .int16(basic(0))
        case bluefleet_DBUS_TYPE_UINT16: return .uint16(basic(0))
        case bluefleet_DBUS_TYPE_INT32: return .int32(basic(0))
        case bluefleet_DBUS_TYPE_UINT32: return .uint32(basic(0))
        case bluefleet_DBUS_TYPE_INT64: return .int64(basic(0))
        case bluefleet_DBUS_TYPE_UINT64: return .uint64(basic(0))
        case bluefleet_DBUS_TYPE_DOUBLE: return .double(basic(0))
        case bluefleet_DBUS_TYPE_STRING: return .string(text())
        case bluefleet_DBUS_TYPE_OBJECT_PATH: return .objectPath(text())
        case bluefleet_DBUS_TYPE_SIGNATURE: return .signature(text())
        case bluefleet_DBUS_TYPE_UNIX_FD: return .fileDescriptor(FileDescriptor(owning: basic(-1)))
        case bluefleet_DBUS_TYPE_VARIANT:
            var inside = contents()
            return inside.current().map(Variant.variant)
        case bluefleet_DBUS_TYPE_STRUCT: return .structure(elements())
        case bluefleet_DBUS_TYPE_ARRAY: return array()
        default: return nil
        }
    }

    private mutating func elements() -> [Variant] {
        var reader = contents()
        var elements: [Variant] = []
        while let element = reader.next() {
            elements.append(element)
        }
        return elements
    }

    private mutating func array() -> Variant {
        switch dbus_message_iter_get_element_type(&iterator) {
        case bluefleet_DBUS_TYPE_BYTE:
            return .bytes(Array(bytes()))
        case bluefleet_DBUS_TYPE_DICT_ENTRY:
            return dictionary()
        default:
            let signature = String(elementSignature().dropFirst())
            return .array(elements(), of: signature)
        }
    }

    private mutating func dictionary() -> Variant {
        // "a{" key value "}": the key is a basic type, which is one letter.
        let signature = elementSignature()
        let key = String(signature.dropFirst(2).prefix(1))
        let value = String(signature.dropFirst(3).dropLast())
        var reader = contents()
        var entries: [Variant.Entry] = []
        while !reader.isAtEnd {
            var entry = reader.enter()
            guard let key = entry.next(), let value = entry.next() else { break }
            entries.append(Variant.Entry(key, value))
        }
        return .dictionary(entries, key: key, value: value)
    }

    private mutating func elementSignature() -> String {
        guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }
}
