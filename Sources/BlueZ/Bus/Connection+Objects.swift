import DBus

extension Connection {
    /// Returns the interfaces and properties of all of bluetoothd's objects, by path.
    func managedObjects() async throws(DBusError) -> [String: Variant] {
        try await call(Self.managedObjectsCall()).arguments.first?.dictionary ?? [:]
    }

    /// Returns the interfaces and properties of the objects below one object, by path.
    ///
    /// bluetoothd always lists all of its objects; all other objects are skipped without being decoded.
    func managedObjects(below path: String) async throws(DBusError) -> [String: Variant] {
        var reader = try await call(Self.managedObjectsCall()).reader
        var objects: [String: Variant] = [:]
        guard !reader.isAtEnd else { return objects }
        var entries = reader.enter()
        while !entries.isAtEnd {
            var entry = entries.enter()
            guard entry.isPath(below: path) else { continue }
            guard case .objectPath(let name)? = entry.next(), let interfaces = entry.next() else { continue }
            objects[name] = interfaces
        }
        return objects
    }

    private static func managedObjectsCall() throws(DBusError) -> Message {
        try Message(call: "GetManagedObjects", on: BlueZName.objectManager, at: "/", of: BlueZName.service)
    }
}
