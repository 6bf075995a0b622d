import DBus

extension Call {
    /// Returns the options of ReadValue and WriteValue (BlueZ 5.66, src/gatt-client.c, parse_options).
    ///
    /// - Parameter hasType: Whether the method has the option `type`.
    /// - Returns: The offset in bytes (0 if it is not given), and the type in lower case (nil if it is not given).
    /// - Throws: `InvalidArguments` for an option of the wrong type.
    func attributeOptions(hasType: Bool = false) throws(DBusError) -> (offset: Int, type: String?) {
        var (offset, type): (Int, String?) = (0, nil)
        for (key, value) in options {
            switch (key.lowercased(), value) {
            case ("offset", .uint16(let number)): offset = Int(number)
            case ("type", .string(let text)) where hasType: type = text.lowercased()
            case ("type", _) where !hasType: break
            case ("offset", _), ("type", _): throw BlueZError.invalidArguments
            default: break
            }
        }
        return (offset, type)
    }
}
