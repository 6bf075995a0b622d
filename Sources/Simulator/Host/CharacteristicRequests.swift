import Bluetooth
import DBus

/// The pending reads and writes of a characteristic (BlueZ 5.66, src/gatt-client.c).
final class CharacteristicRequests {
    private unowned let object: CharacteristicObject
    /// The pending calls of ReadValue; all of them have the same offset and share one request.
    private var reads: [Call] = []
    private var readOffset = 0
    private var isWriting = false

    init(of object: CharacteristicObject) {
        self.object = object
    }

    private var device: DeviceObject { object.device }
    private var peripheral: Peripheral { object.peripheral }

    // MARK: Reading

    func read(_ call: Call) throws(DBusError) {
        guard device.link.isConnected else { throw BlueZError.linkMissing }
        let offset = try call.attributeOptions().offset
        if !reads.isEmpty {
            guard offset == readOffset else { throw BlueZError.inProgress }
            reads.append(call)
            return
        }
        readOffset = offset
        try device.requests.start(
            taking: peripheral.model.pace.read, for: call, lost: { [weak self] in self?.failReads() },
            done: { [weak self] in self?.finishRead(by: call.client) })
        reads = [call]
    }

    private func finishRead(by client: String) {
        let waiting = reads
        reads = []
        do throws(ATTError) {
            let bytes = try peripheral.read(
                object.attribute, offset: readOffset, isBonded: device.isSecure, by: client)
            object.show(bytes)
            for call in waiting { call.reply(.bytes(bytes)) }
        } catch {
            for call in waiting { call.fail(DBusError(error)) }
        }
    }

    /// Fails all calls of ReadValue except the first, which `DeviceRequests` fails.
    private func failReads() {
        for call in reads.dropFirst() { call.fail(BlueZError.operationFailed) }
        reads = []
    }

    // MARK: Writing

    func write(_ call: Call) throws(DBusError) {
        let bytes = call.arguments[0].bytes ?? []
        guard device.link.isConnected else { throw BlueZError.linkMissing }
        let service = object.service.service.uuid
        if device.host.fleet.version.showsClaimedServices && AttributeDatabase.claimed.contains(service) {
            throw BlueZError.notAuthorized
        }
        if object.sockets.isWriteAcquired { throw BlueZError.notPermitted("Write acquired") }
        if isWriting { throw BlueZError.inProgress }
        let (offset, givenType) = try call.attributeOptions(hasType: true)
        let type = givenType ?? defaultWriteType
        switch type {
        case "request", "reliable":
            let kind: PeripheralEvent.Kind = type == "reliable" ? .reliableWrite : .write
            try device.requests.start(
                taking: peripheral.model.pace.write, for: call, lost: { [weak self] in self?.isWriting = false },
                done: { [weak self] in self?.finishWrite(bytes, at: offset, kind, for: call) })
            isWriting = true
        case "command":
            if offset != 0 { throw BlueZError.notSupported }
            guard bytes.count <= Int(peripheral.model.mtu) - 3 else {
                throw BlueZError.failed("Failed to initiate write")
            }
            // A write without response is not answered by the peripheral: the reply is sent before the bytes.
            call.reply()
            peripheral.command(bytes, to: object.attribute, by: call.client)
        default: throw BlueZError.notSupported
        }
    }

    private var defaultWriteType: String {
        if object.properties.contains(.reliableWrite) { return "reliable" }
        if object.properties.contains(.write) { return "request" }
        return object.properties.contains(.writeWithoutResponse) ? "command" : "none"
    }

    private func finishWrite(_ bytes: [UInt8], at offset: Int, _ kind: PeripheralEvent.Kind, for call: Call) {
        isWriting = false
        do throws(ATTError) {
            try peripheral.write(
                bytes, at: offset, to: object.attribute, kind, isBonded: device.isSecure, by: call.client)
            call.reply()
        } catch {
            call.fail(DBusError(error))
        }
    }

    /// Drops the pending calls after the end of the connection.
    func linkLost() {
        reads = []
        isWriting = false
    }
}
