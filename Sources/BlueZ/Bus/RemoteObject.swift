import DBus

/// One interface of one of bluetoothd's objects.
struct RemoteObject: Sendable {
    let connection: Connection
    let path: String
    let interface: String

    /// The interface of the same object that reads and sets properties.
    private var properties: RemoteObject {
        RemoteObject(connection: connection, path: path, interface: BlueZName.properties)
    }

    /// Calls a method and returns its results.
    ///
    /// - Parameters:
    ///   - member: The name of the method.
    ///   - arguments: The arguments.
    ///   - timeout: How long to wait for the reply.
    ///   - isWanted: Asked if the call had to wait for other calls: false if it must no longer be sent.
    /// - Returns: The values of the reply.
    /// - Throws: `DBusError`: bluetoothd's error, or `NoReply` after `timeout`, or `Disconnected`.
    @discardableResult
    func call(
        _ member: String, _ arguments: [Variant] = [], timeout: Duration = .seconds(25),
        ifWanted isWanted: (@Sendable () async -> Bool)? = nil
    ) async throws(DBusError) -> [Variant] {
        let message = try Message(call: member, on: interface, at: path, of: BlueZName.service, arguments)
        return try await connection.call(message, timeout: timeout, ifWanted: isWanted).arguments
    }

    /// Changes the value of a property.
    func set(_ name: String, to value: Variant) async throws(DBusError) {
        try await properties.call("Set", [.string(interface), .string(name), .variant(value)])
    }

    /// Returns all properties of the interface; nil: the reply contains none.
    func getAll() async throws(DBusError) -> [String: Variant]? {
        try await properties.call("GetAll", [.string(interface)]).first?.dictionary
    }
}
