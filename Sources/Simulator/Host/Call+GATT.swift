import DBus

extension Call {
    /// The options of ReadValue and WriteValue (BlueZ 5.66, src/gatt-client.c, parse_options).
    ///
    /// - Parameter hasType: whether a type is looked at.
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
