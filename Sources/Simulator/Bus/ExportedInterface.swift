import DBus

/// An interface of one exported object, independent of the object's type.
protocol ExportedInterface {
    var name: String { get }
    var hasProperties: Bool { get }
    /// The names and values of the current properties, in the order of the table.
    var properties: [Variant.Entry] { get }
    /// Returns the entry of one property; nil if the object does not have this property now.
    func property(_ name: String) -> Variant.Entry?
    /// Handles a call of the method `Set` of `org.freedesktop.DBus.Properties`.
    func set(_ property: String, to value: Variant, for call: Call) throws(DBusError)
    /// Handles a call of one of the interface's methods.
    ///
    /// - Returns: Whether the interface has a method with this name and these argument types.
    func invoke(_ call: Call) throws(DBusError) -> Bool
    /// The interface as introspection data in XML.
    var description: String { get }
}

/// An interface table applied to one object.
struct Interface<Object: AnyObject>: ExportedInterface {
    private unowned let object: Object
    private let table: InterfaceTable<Object>

    init(_ table: InterfaceTable<Object>, of object: Object) {
        self.object = object
        self.table = table
    }

    var name: String { table.name }

    var hasProperties: Bool { !table.properties.isEmpty }

    var properties: [Variant.Entry] { table.properties.compactMap(entry) }

    func property(_ name: String) -> Variant.Entry? {
        table.properties.first { $0.name == name }.flatMap(entry)
    }

    private func entry(_ property: InterfaceTable<Object>.Property) -> Variant.Entry? {
        property.read(object).map { Variant.Entry(.string(property.name), .variant($0)) }
    }

    // The errors are those of BlueZ 5.66, gdbus/object.c.
    func set(_ property: String, to value: Variant, for call: Call) throws(DBusError) {
        guard let row = table.properties.first(where: { $0.name == property }) else {
            throw DBusError(DBusError.unknownProperty, "No such property '\(property)'")
        }
        guard let write = row.write else {
            throw DBusError(DBusError.propertyReadOnly, "Property '\(property)' is not writable")
        }
        guard row.read(object) != nil else {
            throw DBusError(DBusError.unknownProperty, "No such property '\(property)'")
        }
        guard value.signature == row.signature else {
            throw DBusError(DBusError.invalidSignature, "Invalid signature for '\(property)'")
        }
        try write(object, value, call)
    }

    func invoke(_ call: Call) throws(DBusError) -> Bool {
        guard let method = table.methods.first(where: { $0.name == call.member && $0.takes == call.signature }) else {
            return false
        }
        try method.body(object, call)
        return true
    }

    var description: String {
        let methods = table.methods.map { method in
            let arguments =
                SignatureParts(method.takes).map { "<arg type=\"\($0)\" direction=\"in\"/>" }
                + SignatureParts(method.gives).map { "<arg type=\"\($0)\" direction=\"out\"/>" }
            return "<method name=\"\(method.name)\">\(arguments.joined())</method>"
        }
        let properties = table.properties.map { property in
            let access = property.write == nil ? "read" : "readwrite"
            return "<property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\"/>"
        }
        let signals = table.signals.filter { $0.isPresent(object) }.map { signal in
            let arguments = SignatureParts(signal.arguments).map { "<arg type=\"\($0)\"/>" }
            return "<signal name=\"\(signal.name)\">\(arguments.joined())</signal>"
        }
        return "<interface name=\"\(name)\">\((methods + properties + signals).joined())</interface>"
    }
}
