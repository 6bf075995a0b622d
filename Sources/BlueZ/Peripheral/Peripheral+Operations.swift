import DBus
import EventLoop
import System

extension Peripheral {
    /// Cancels all running and waiting operations.
    package func cancelOperations() {
        operations.failAll(with: CentralError(.cancelled, object, "cancelled"))
    }

    /// Returns one interface of an object of the peripheral.
    ///
    /// - Throws: `CentralError` `peripheralDisconnected`.
    func remoteObject(
        _ interface: String, at path: String, of object: String, doing action: String
    ) throws(CentralError) -> RemoteObject {
        guard let connection, isConnected else {
            throw CentralError(.peripheralDisconnected, object, "\(action): not connected")
        }
        return RemoteObject(connection: connection, path: path, interface: interface)
    }

    /// Calls a method of one of the peripheral's objects after the earlier operations have ended.
    ///
    /// The Attribute Protocol gives a peripheral 30 s to respond (Core Specification, Vol 3, Part F, 3.3.3). With a
    /// shorter limit, the peripheral's error would be lost.
    ///
    /// - Parameters:
    ///   - member: The name of the method.
    ///   - interface: The D-Bus interface of the method.
    ///   - path: The path of the object.
    ///   - arguments: The arguments of the call.
    ///   - object: The name of the object in error messages.
    ///   - action: The name of the operation in error messages, e.g. `read`.
    ///   - remark: An addition to the message if the connection is lost.
    ///   - start: The earliest time of the call; nil: at once.
    ///   - limit: How long bluetoothd may take for the reply.
    /// - Returns: The values of the reply.
    /// - Throws: `CentralError`; also if the connection is lost before the reply (bluetoothd may then never reply).
    func perform(
        _ member: String, on interface: String, at path: String, _ arguments: [Variant] = [], of object: String,
        doing action: String, ifLost remark: String = "", from start: Instant? = nil,
        within limit: Duration = .seconds(35)
    ) async throws(CentralError) -> [Variant] {
        let remote = try remoteObject(interface, at: path, of: object, doing: action)
        let token = operations.token
        let reply: Result<[Variant], CentralError> = await operations.run { [loop] in
            if let start, start > loop.now { await loop.sleep(for: start - loop.now) }
            var attempts = 20
            // A cancelled operation is not sent, neither later nor over another connection.
            while await self.isCurrent(token) {
                do throws(DBusError) {
                    return .success(
                        try await remote.call(member, arguments, timeout: limit) {
                            await self.isCurrent(token)
                        })
                } catch {
                    // Another program may use the same characteristic for a moment.
                    attempts -= 1
                    guard error.name == BlueZError.inProgress, attempts > 0 else {
                        if error.message == "Operation failed" { await self.awaitEnd(of: token) }
                        return .failure(CentralError(error, object, doing: action))
                    }
                }
                await loop.sleep(for: .milliseconds(50))
            }
            return .failure(CentralError(.cancelled, object, "\(action): cancelled"))
        }
        guard case .failure(let error) = reply, error.code == .peripheralDisconnected else { return try reply.get() }
        if operations.token == token { try await confirmEnd(of: object, doing: action) }
        throw CentralError(.peripheralDisconnected, object, "\(action): the connection was lost\(remark)")
    }

    private func isCurrent(_ token: OperationToken) -> Bool {
        operations.token == token
    }

    /// Waits up to 1 s for the end of the connection.
    ///
    /// A failure without an ATT error usually means that the connection is lost. bluetoothd reports the loss just after
    /// the failure, and the report cancels all operations.
    private func awaitEnd(of token: OperationToken) async {
        _ = await wait(for: .seconds(1)) { $0.operations.token != token }
    }

    /// Waits until bluetoothd reports the loss of the connection.
    ///
    /// bluetoothd may return an error because of the loss before it reports the loss. If the device is connected by
    /// Bluetooth Classic, bluetoothd never reports the loss.
    ///
    /// - Throws: `CentralError` `linkUnusable` if the loss is not reported within 2 s.
    private func confirmEnd(of object: String, doing action: String) async throws(CentralError) {
        let token = operations.token
        let hasEnded = await wait(for: .seconds(2)) { $0.operations.token != token }
        guard !hasEnded, operations.token == token else { return }
        throw CentralError(
            .linkUnusable, object, "\(action): connected, but without attributes, possibly by Bluetooth Classic")
    }
}
