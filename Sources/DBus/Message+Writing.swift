import CDBus

extension Message {
    func append(_ arguments: [Variant]) throws(DBusError) {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(pointer, &iterator)
        for argument in arguments {
            try Self.append(argument, to: &iterator)
        }
    }

    private static func append(_ value: Variant, to iterator: inout DBusMessageIter) throws(DBusError) {
        switch value {
        case .byte(let value): append(bluefleet_DBUS_TYPE_BYTE, value, to: &iterator)
        // libdbus's boolean has 32 bits.
        case .boolean(let value): append(bluefleet_DBUS_TYPE_BOOLEAN, UInt32(value ? 1 : 0), to: &iterator)
        case .int16(let value): append(bluefleet_DBUS_TYPE_INT16, value, to: &iterator)
        case .uint16(let value): append(bluefleet_DBUS_TYPE_UINT16, value, to: &iterator)
        case .int32(let value): append(bluefleet_DBUS_TYPE_INT32, value, to: &iterator)
        case .uint32(let value): append(bluefleet_DBUS_TYPE_UINT32, value, to: &iterator)
        case .int64(let value): append(bluefleet_DBUS_TYPE_INT64, value, to: &iterator)
        case .uint64(let value): append(bluefleet_DBUS_TYPE_UINT64, value, to: &iterator)
        case .double(let value): append(bluefleet_DBUS_TYPE_DOUBLE, value, to: &iterator)
        case .fileDescriptor(let value): append(bluefleet_DBUS_TYPE_UNIX_FD, value.number, to: &iterator)
        case .string(let value):
            try appendText(bluefleet_DBUS_TYPE_STRING, value, to: &iterator) { dbus_validate_utf8($0, nil) }
        case .objectPath(let value):
            try appendText(bluefleet_DBUS_TYPE_OBJECT_PATH, value, to: &iterator) { dbus_validate_path($0, nil) }
        case .signature(let value):
            try appendText(bluefleet_DBUS_TYPE_SIGNATURE, value, to: &iterator) { dbus_signature_validate($0, nil) }
        case .bytes(let bytes): appendBytes(bytes, to: &iterator)
        case .array(let elements, let signature):
            try nest(bluefleet_DBUS_TYPE_ARRAY, signature, in: &iterator) { inner throws(DBusError) in
                for element in elements { try append(element, to: &inner) }
            }
        case .dictionary(let entries, let key, let value):
            try nest(bluefleet_DBUS_TYPE_ARRAY, "{\(key)\(value)}", in: &iterator) { inner throws(DBusError) in
                for entry in entries {
                    try nest(bluefleet_DBUS_TYPE_DICT_ENTRY, nil, in: &inner) { pair throws(DBusError) in
                        try append(entry.key, to: &pair)
                        try append(entry.value, to: &pair)
                    }
                }
            }
        case .structure(let members):
            try nest(bluefleet_DBUS_TYPE_STRUCT, nil, in: &iterator) { inner throws(DBusError) in
                for member in members { try append(member, to: &inner) }
            }
        case .variant(let value):
            try nest(bluefleet_DBUS_TYPE_VARIANT, value.signature, in: &iterator) { inner throws(DBusError) in
                try append(value, to: &inner)
            }
        }
    }

    private static func append<Basic>(_ type: Int32, _ value: Basic, to iterator: inout DBusMessageIter) {
        withUnsafePointer(to: value) { _ = dbus_message_iter_append_basic(&iterator, type, $0) }
    }

    private static func appendText(
        _ type: Int32, _ value: String, to iterator: inout DBusMessageIter,
        validate: (UnsafePointer<CChar>) -> dbus_bool_t
    ) throws(DBusError) {
        let valid = value.withCString { text in
            guard validate(text) != 0, !value.utf8.contains(0) else { return false }
            var text: UnsafePointer<CChar>? = text
            return dbus_message_iter_append_basic(&iterator, type, &text) != 0
        }
        if !valid { throw DBusError(DBusError.invalidArguments, "“\(value)” cannot be sent over D-Bus") }
    }

    private static func appendBytes(_ bytes: [UInt8], to iterator: inout DBusMessageIter) {
        var inner = DBusMessageIter()
        dbus_message_iter_open_container(&iterator, bluefleet_DBUS_TYPE_ARRAY, "y", &inner)
        bytes.withUnsafeBufferPointer { buffer in
            var base = buffer.baseAddress
            if base != nil {
                dbus_message_iter_append_fixed_array(&inner, bluefleet_DBUS_TYPE_BYTE, &base, Int32(buffer.count))
            }
        }
        dbus_message_iter_close_container(&iterator, &inner)
    }

    private static func nest(
        _ type: Int32, _ signature: String?, in iterator: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) throws(DBusError) -> Void
    ) throws(DBusError) {
        var inner = DBusMessageIter()
        dbus_message_iter_open_container(&iterator, type, signature, &inner)
        do {
            try body(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        dbus_message_iter_close_container(&iterator, &inner)
    }
}
