import DBus
import EventLoop

/// The requests of a device that wait for the peripheral's response.
final class DeviceRequests {
    private unowned let device: DeviceObject
    private var pending: [PendingRequest] = []

    init(of device: DeviceObject) {
        self.device = device
    }

    private var host: Host { device.host }
    private var peripheral: Peripheral { device.peripheral }

    /// The time without a response after which bluetoothd (src/shared/att.c) ends the connection.
    private static let timeout = Duration.seconds(30)

    var isEmpty: Bool { pending.isEmpty }

    /// Starts a request.
    ///
    /// - Parameters:
    ///   - time: The time until the response.
    ///   - call: The client's call; it fails if the connection ends before the response.
    ///   - lost: Called before `call` fails because the connection has ended.
    ///   - done: Called when the response arrives.
    /// - Throws: `DBusError` if the request cannot be sent.
    func start(
        taking time: Duration, for call: Call, lost: @escaping () -> Void = {}, done: @escaping () -> Void
    ) throws(DBusError) {
        guard device.link.isConnected, !peripheral.faults.happens(.attributesLost) else { throw BlueZError.linkMissing }
        if peripheral.faults.happens(.operationInProgress) { throw BlueZError.inProgress }
        let request = PendingRequest {
            lost()
            call.fail(BlueZError.operationFailed)
        }
        pending.append(request)
        if peripheral.faults.happens(.operationHangs) { return watch(request) }
        host.loop.schedule(after: time) { [weak self] in
            guard let self, contains(request) else { return }
            pending.removeAll { $0 === request }
            done()
        }
    }

    private func contains(_ request: PendingRequest) -> Bool {
        pending.contains { $0 === request }
    }

    private func watch(_ request: PendingRequest) {
        host.loop.schedule(after: Self.timeout) { [weak self] in
            guard let self, contains(request) else { return }
            peripheral.drop()
        }
    }

    /// Fails all requests, for example after the end of the connection.
    func failAll() {
        let requests = pending
        pending = []
        for request in requests { request.fail() }
    }

    /// A request that has no response yet.
    private final class PendingRequest {
        let fail: () -> Void

        init(fail: @escaping () -> Void) {
            self.fail = fail
        }
    }
}
