import DBus
import EventLoop

/// Requests on the air.
extension DeviceObject {
    /// Lets a request take its time and then calls `done`; if the link goes before, the call fails, after `lost`.
    func request(
        taking time: Duration, for call: Call, lost: @escaping () -> Void = {}, done: @escaping () -> Void
    ) throws(DBusError) {
        guard isConnected, !peripheral.faults.happens(.attributesLost) else { throw BlueZError.linkMissing }
        if peripheral.faults.happens(.operationInProgress) { throw BlueZError.inProgress }
        let request = PendingRequest {
            lost()
            call.fail(BlueZError.operationFailed)
        }
        requests.append(request)
        if peripheral.faults.happens(.operationHangs) { return watchSilence(of: request) }
        host.loop.schedule(after: time) { [weak self] in
            guard let self, requests.contains(where: { $0 === request }) else { return }
            requests.removeAll { $0 === request }
            done()
        }
    }

    /// bluetoothd (src/shared/att.c) has this much patience with a peripheral, and then ends the link.
    private static let patience = Duration.seconds(30)

    private func watchSilence(of request: PendingRequest) {
        host.loop.schedule(after: Self.patience) { [weak self] in
            guard let self, requests.contains(where: { $0 === request }) else { return }
            peripheral.drop()
        }
    }

    var isBusy: Bool { !requests.isEmpty }

    /// The link is gone: nobody will answer.
    func failRequests() {
        let pending = requests
        requests = []
        for request in pending { request.fail() }
    }
}

/// A request that the peripheral has not answered.
final class PendingRequest {
    let fail: () -> Void

    init(fail: @escaping () -> Void) {
        self.fail = fail
    }
}
