import DBus
import EventLoop

/// The objects that a connection exports, and their standard signals.
///
/// Changes are collected. They are signalled in the next turn of the loop or before the next message, whichever is
/// first: signals and replies have the same order as with BlueZ's gdbus.
final class ObjectTree {
    let connection: Connection
    private let loop: EventLoop
    private var objects: [String: (number: Int, object: any ExportedObject)] = [:]
    private var nextNumber = 0
    private var pending: [PendingChanges] = []
    private var flushing: Timer?

    init(on connection: Connection) {
        self.connection = connection
        loop = connection.loop
    }

    /// The object at `path`.
    subscript(path: String) -> (any ExportedObject)? { objects[path]?.object }

    /// All objects, in the order in which they were added.
    var all: [any ExportedObject] { objects.values.sorted { $0.number < $1.number }.map(\.object) }

    /// Removes all objects without signals.
    func close() {
        flushing?.cancel()
        pending = []
        objects = [:]
    }

    // MARK: Objects

    /// Exports an object, and schedules the signal `InterfacesAdded` unless the object is the root.
    func add(_ object: any ExportedObject) {
        precondition(objects[object.path] == nil, "\(object.path) is already exported")
        objects[object.path] = (nextNumber, object)
        nextNumber += 1
        if object.path != "/" { change(object) { $0.added = [""] } }
    }

    /// Removes an object and signals the removal immediately.
    func remove(_ object: any ExportedObject) {
        guard objects.removeValue(forKey: object.path) != nil else { return }
        if let index = pending.firstIndex(where: { $0.object === object }) {
            let changes = pending.remove(at: index)
            // The object has not been signalled yet.
            if changes.added.contains("") { return }
            emit(changes)
        }
        emit(removedFrom: object, names(of: object))
    }

    /// Schedules the signal that an exported object has a new interface.
    func added(_ interface: String, to object: any ExportedObject) {
        change(object) { changes in
            if !changes.added.contains("") { changes.added.append(interface) }
        }
    }

    /// Schedules the signal that an exported object has lost an interface.
    func removed(_ interface: String, from object: any ExportedObject) {
        change(object) { changes in
            if changes.added.contains(interface) {
                changes.added.removeAll { $0 == interface }
            } else if !changes.added.contains("") {
                changes.removed.append(interface)
            }
        }
    }

    private func names(of object: any ExportedObject) -> [String] {
        [PropertiesInterface.name, Introspectable.name] + object.interfaces.map(\.name)
    }

    // MARK: Changes

    /// Schedules the signal that a property has changed, appeared or disappeared.
    func changed(_ property: String, of interface: String, at object: any ExportedObject) {
        change(object) { $0.add(property: property, of: interface) }
    }

    /// Signals a property immediately, so that each of several values in a row has a signal of its own.
    func emit(_ property: String, of interface: String, at object: any ExportedObject) {
        changed(property, of: interface, at: object)
        guard let index = pending.firstIndex(where: { $0.object === object && $0.added.isEmpty }) else { return }
        emit(pending.remove(at: index))
    }

    /// Signals the pending changes of an object immediately, before those of other objects.
    func emit(_ object: any ExportedObject) {
        guard let index = pending.firstIndex(where: { $0.object === object }) else { return }
        emit(pending.remove(at: index))
    }

    private func change(_ object: any ExportedObject, _ body: (inout PendingChanges) -> Void) {
        guard self[object.path] === object else { return }
        // Consecutive changes usually concern the same object: search from the end.
        if let index = pending.lastIndex(where: { $0.object === object }) {
            body(&pending[index])
            return
        }
        var changes = PendingChanges(of: object)
        body(&changes)
        pending.append(changes)
        if flushing == nil {
            flush(after: .zero)
        }
    }

    /// Signals all pending changes after a delay, or before the next message.
    func flush(after delay: Duration) {
        flushing?.cancel()
        flushing = loop.schedule(after: delay) { [weak self] in self?.flush() }
    }

    /// Signals all pending changes.
    func flush() {
        flushing?.cancel()
        flushing = nil
        let changes = pending
        pending = []
        for changes in changes { emit(changes) }
    }

    private func emit(_ changes: PendingChanges) {
        if !changes.added.isEmpty { emit(addedTo: changes.object, changes.added) }
        for (interface, properties) in changes.changed {
            emit(properties, of: interface, at: changes.object)
        }
        if !changes.removed.isEmpty { emit(removedFrom: changes.object, changes.removed) }
    }

    // MARK: Signals

    /// Sends a signal.
    func emit(_ signal: String, on interface: String, at path: String, _ arguments: [Variant]) {
        do throws(DBusError) {
            let message = try Message(signal: signal, on: interface, at: path, arguments)
            connection.assumeIsolated { $0.send(message) }
        } catch {
            preconditionFailure("\(signal) at \(path) cannot be sent: \(error)")
        }
    }

    private func emit(addedTo object: any ExportedObject, _ interfaces: [String]) {
        let entries = object.managedInterfaces.filter { entry in
            interfaces.contains("") || interfaces.contains(entry.key.text ?? "")
        }
        emit(
            "InterfacesAdded", on: ObjectManager.name, at: "/",
            [.objectPath(object.path), .dictionary(entries, key: "s", value: "a{sv}")])
    }

    private func emit(removedFrom object: any ExportedObject, _ interfaces: [String]) {
        emit(
            "InterfacesRemoved", on: ObjectManager.name, at: "/", [.objectPath(object.path), .strings(interfaces)])
    }

    private func emit(_ properties: [String], of name: String, at object: any ExportedObject) {
        guard let interface = object.interfaces.first(where: { $0.name == name }) else { return }
        var present: [Variant.Entry] = []
        var absent: [String] = []
        for property in properties {
            if let entry = interface.property(property) { present.append(entry) } else { absent.append(property) }
        }
        emit(
            "PropertiesChanged", on: PropertiesInterface.name, at: object.path,
            [.string(name), .dictionary(present, key: "s", value: "v"), .strings(absent)])
    }

    /// Sends a message, after the signals of all pending changes.
    func send(_ message: Message) {
        flush()
        connection.assumeIsolated { $0.send(message) }
    }
}
