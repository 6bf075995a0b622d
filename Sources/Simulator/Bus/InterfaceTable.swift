import DBus

/// What one D-Bus interface offers on every object that has it: its properties and methods, each a row with what it
/// does.
///
/// One such table answers calls, reads and writes properties, lists managed objects and describes itself.
final class InterfaceTable<Object: AnyObject>: Sendable {
    /// One property; it is there while `read` gives a value.
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

    /// One method; `body` answers the call at once or later, or throws the error that answers it.
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

    /// One signal of the object's own, for its description; it is there while `isThere` holds.
    struct Signal: Sendable {
        let name: String
        let arguments: String
        let isThere: @Sendable (Object) -> Bool
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
