import DBus
import EventLoop

/// The connection that exports the control object on the bus of a machine.
final class ControlConnection: LoopPart {
    let loop: EventLoop
    private let connection: Connection
    private let tree: ObjectTree

    private init(_ connection: Connection, loop: EventLoop) {
        self.connection = connection
        self.loop = loop
        tree = ObjectTree(on: connection)
    }

    /// Exports the control object of a simulation.
    ///
    /// - Parameters:
    ///   - scene: The state of the simulation.
    ///   - machine: The machine with the bus.
    ///   - busEnded: Called with the address of the bus when the bus has closed the connection.
    /// - Returns: The open connection.
    /// - Throws: `DBusError` if the bus is not available, or has a control object already.
    static func open(
        _ scene: Scene, of machine: Machine, busEnded: @escaping @Sendable (_ bus: String) -> Void
    ) async throws(DBusError) -> ControlConnection {
        let connection = try await Connection.open(machine.bus, loop: machine.loop)
        let control = ControlConnection(connection, loop: machine.loop)
        control.tree.add(ControlObject(scene, of: machine))
        let bus = machine.bus
        await connection.onDisconnect { busEnded(bus) }
        let handle = control.handler { (control: ControlConnection, call: Message) in control.tree.handle(call) }
        await connection.onCall { call in
            handle(call)
            return true
        }
        do throws(DBusError) {
            try await connection.requestName(ControlObject.name)
        } catch {
            await control.close()
            throw error
        }
        return control
    }

    func close() async {
        tree.close()
        await connection.close()
    }
}
