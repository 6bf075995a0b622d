import DBus

/// The properties, methods and signals of a D-Bus interface.
///
/// The same table serves method calls, access to properties, the list of managed objects and the introspection data.
final class InterfaceTable<Object: AnyObject>: Sendable {
    /// A property; while `read` returns nil, the object does not have the property.
    struct Property: Sendable {
        let name: String
        let signature: String
        let read: @Sendable (Object) -> Variant?
        let write: (@Sendable (Object, Variant, Call) throws(DBusError) -> Void)?

        init(
            _ name: String, _ signature: String, _ read: @escaping @Sendable (Object) -> Variant?,
            write: (@Sendable (Object, Variant, Call) throws(DBusError) -> Void)? = nil
        ) {
            self.name = name
            self.signature = signature
            self.read = read
            self.write = write
        }
    }

    /// A method; `body` answers the call immediately or later, or throws the error of the reply.
    struct Method: Sendable {
        let name: String
        let takes: String
        let gives: String
        let body: @Sendable (Object, Call) throws(DBusError) -> Void

        init(
            _ name: String, takes: String = "", gives: String = "",
            _ body: @escaping @Sendable (Object, Call) throws(DBusError) -> Void
        ) {
            self.name = name
            self.takes = takes
            self.gives = gives
            self.body = body
        }
    }

    /// A signal in the introspection data; listed for an object if `isPresent` returns true.
    struct Signal: Sendable {
        let name: String
        let arguments: String
        let isPresent: @Sendable (Object) -> Bool
    }

    let name: String
    let properties: [Property]
    let methods: [Method]
    let signals: [Signal]

    init(_ name: String, properties: [Property] = [], methods: [Method] = [], signals: [Signal] = []) {
        self.name = name
        self.properties = properties
        self.methods = methods
        self.signals = signals
    }
}
