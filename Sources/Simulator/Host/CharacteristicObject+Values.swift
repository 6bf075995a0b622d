import Bluetooth
import DBus

/// Reading and writing (BlueZ 5.66, src/gatt-client.c).
extension CharacteristicObject {
    func read(_ call: Call) throws(DBusError) {
        guard device.isConnected else { throw BlueZError.linkMissing }
        let offset = try call.attributeOptions().offset
        if !reads.isEmpty {
            guard offset == readOffset else { throw BlueZError.inProgress }
            reads.append(call)
            return
        }
        readOffset = offset
        try device.request(
            taking: peripheral.model.pace.read, for: call, lost: { [weak self] in self?.failReads() },
            done: { [weak self] in self?.finishRead(by: call.client) })
        reads = [call]
    }

    private func finishRead(by client: String) {
        let waiting = reads
        reads = []
        do throws(ATTError) {
            let bytes = try peripheral.read(
                attribute, offset: readOffset, isBonded: device.isSecure, by: client)
            show(bytes)
            for call in waiting { call.reply(.bytes(bytes)) }
        } catch {
            for call in waiting { call.fail(DBusError(error)) }
        }
    }

    /// The first of them fails by itself.
    private func failReads() {
        for call in reads.dropFirst() { call.fail(BlueZError.operationFailed) }
        reads = []
    }

    func write(_ call: Call) throws(DBusError) {
        let bytes = call.arguments[0].bytes ?? []
        guard device.isConnected else { throw BlueZError.linkMissing }
        if device.host.fleet.version.showsClaimedServices && AttributeDatabase.claimed.contains(service.service.uuid) {
            throw BlueZError.notAuthorized
        }
        if writeSocket != nil { throw BlueZError.notPermitted("Write acquired") }
        if isWriting { throw BlueZError.inProgress }
        let (offset, givenType) = try call.attributeOptions(hasType: true)
        let type = givenType ?? defaultWriteType
        switch type {
        case "request", "reliable":
            let kind: PeripheralEvent.Kind = type == "reliable" ? .reliableWrite : .write
            try device.request(
                taking: peripheral.model.pace.write, for: call, lost: { [weak self] in self?.isWriting = false },
                done: { [weak self] in self?.finishWrite(bytes, at: offset, kind, for: call) })
            isWriting = true
        case "command":
            if offset != 0 { throw BlueZError.notSupported }
            guard bytes.count <= Int(peripheral.model.mtu) - 3 else {
                throw BlueZError.failed("Failed to initiate write")
            }
            // Nobody waits for it: the answer goes out before the bytes.
            call.reply()
            peripheral.command(bytes, to: attribute, by: call.client)
        default: throw BlueZError.notSupported
        }
    }

    private var defaultWriteType: String {
        if properties.contains(.reliableWrite) { return "reliable" }
        if properties.contains(.write) { return "request" }
        return properties.contains(.writeWithoutResponse) ? "command" : "none"
    }

    private func finishWrite(_ bytes: [UInt8], at offset: Int, _ kind: PeripheralEvent.Kind, for call: Call) {
        isWriting = false
        do throws(ATTError) {
            try peripheral.write(bytes, at: offset, to: attribute, kind, isBonded: device.isSecure, by: call.client)
            call.reply()
        } catch {
            call.fail(DBusError(error))
        }
    }
}
