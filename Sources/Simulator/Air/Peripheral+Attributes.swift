import Bluetooth
import EventLoop

/// A client's operations on the peripheral's attributes.
extension Peripheral {
    /// Returns the first characteristic with this UUID.
    func characteristic(_ uuid: UUID) -> PeripheralCharacteristic? {
        services.lazy.flatMap(\.characteristics).first { $0.uuid == uuid }
    }

    /// Returns whether the peripheral still has this characteristic; always true without the fault "cache stale".
    func has(_ characteristic: PeripheralCharacteristic) -> Bool {
        !faults.isPlanned(.cacheStale) || services.contains { $0.characteristics.contains { $0 === characteristic } }
    }

    /// Answers a read request.
    ///
    /// - Throws: `ATTError` as the peripheral answers it.
    func read(
        _ characteristic: PeripheralCharacteristic, offset: Int, isBonded: Bool, by client: String
    ) throws(ATTError) -> [UInt8] {
        requestArrived()
        record(.read, characteristic.uuid, by: client)
        guard has(characteristic) else { throw ATTError(code: 0x01) }
        let model = characteristic.model
        if model.needsBond && !isBonded { throw ATTError(code: 0x05) }
        if let code = model.readError { throw ATTError(code: code) }
        guard model.properties.contains(.read) else { throw ATTError(code: 0x02) }
        return try Self.part(of: sample(characteristic), from: offset, mtu: self.model.mtu)
    }

    func read(_ descriptor: PeripheralDescriptor, offset: Int, by client: String) throws(ATTError) -> [UInt8] {
        requestArrived()
        record(.read, descriptor.uuid, by: client)
        return try Self.part(of: descriptor.value, from: offset, mtu: model.mtu)
    }

    private static func part(of value: [UInt8], from offset: Int, mtu: UInt16) throws(ATTError) -> [UInt8] {
        if offset == 0 { return value }
        if offset > value.count { throw ATTError(code: 0x07) }
        // A value that fits into one packet is not a long attribute.
        if value.count < mtu { throw ATTError(code: 0x0B) }
        return Array(value[offset...])
    }

    /// Answers a write request.
    ///
    /// - Throws: `ATTError` as the peripheral answers it.
    func write(
        _ value: [UInt8], at offset: Int, to characteristic: PeripheralCharacteristic,
        _ kind: PeripheralEvent.Kind = .write, isBonded: Bool, by client: String
    ) throws(ATTError) {
        requestArrived()
        let isLong = offset > 0 || value.count > Int(self.model.mtu) - 3
        if isLong, faults.happens(.longWritesRefused) { throw ATTError(code: 0x06) }
        record(kind, characteristic.uuid, value, by: client)
        guard has(characteristic) else { throw ATTError(code: 0x01) }
        let model = characteristic.model
        if model.needsBond && !isBonded { throw ATTError(code: 0x05) }
        if let code = model.writeError { throw ATTError(code: code) }
        guard model.properties.contains(.write) else { throw ATTError(code: 0x03) }
        let old = offset == 0 ? [] : sample(characteristic)
        if offset > old.count { throw ATTError(code: 0x07) }
        if offset + value.count > Self.valueLimit { throw ATTError(code: 0x0D) }
        accept(old.prefix(offset) + value, for: characteristic)
    }

    /// Handles a write without response; ignores the value if the characteristic has no such property.
    func command(_ value: [UInt8], to characteristic: PeripheralCharacteristic, by client: String) {
        requestArrived()
        record(.command, characteristic.uuid, value, by: client)
        if characteristic.model.properties.contains(.writeWithoutResponse) { accept(value, for: characteristic) }
    }

    func write(_ value: [UInt8], to descriptor: PeripheralDescriptor, by client: String) throws(ATTError) {
        requestArrived()
        record(.write, descriptor.uuid, value, by: client)
        if value.count > Self.valueLimit { throw ATTError(code: 0x0D) }
        descriptor.store(value)
    }

    /// Stores a written value in the characteristic and in its mirror, and notifies subscribers of both.
    private func accept(_ value: [UInt8], for characteristic: PeripheralCharacteristic) {
        if let answer = characteristic.answers?.answer(to: value) { return send(answer, to: characteristic) }
        characteristic.store(value)
        notify(characteristic, value)
        if let mirror = characteristic.model.mirror.flatMap(self.characteristic) {
            mirror.store(value)
            notify(mirror, value)
        }
    }

    /// Sends the answer to a question that was written to a characteristic, and stores it for reads.
    private func send(_ answer: AnswerPlayer.Answer, to characteristic: PeripheralCharacteristic) {
        let parts = answer.notifications.compactMap { notification in
            (notification.source.map(self.characteristic) ?? characteristic).map { (source: $0, notification.bytes) }
        }
        for (source, _) in parts where source.model.properties.contains(.read) {
            source.store(parts.filter { $0.source === source }.flatMap(\.1))
        }
        air.loop.schedule(after: answer.delay) { [weak self] in
            for (source, bytes) in parts { self?.notify(source, bytes) }
        }
    }

    private func sample(_ characteristic: PeripheralCharacteristic) -> [UInt8] {
        characteristic.sample(at: air.elapsed)
    }

    // MARK: Notifications

    func subscribe(_ characteristic: PeripheralCharacteristic, by client: String) {
        requestArrived()
        record(.subscribed, characteristic.uuid, by: client)
        characteristic.subscribe()
        scheduleNotification(of: characteristic)
    }

    func unsubscribe(_ characteristic: PeripheralCharacteristic, by client: String) {
        requestArrived()
        record(.unsubscribed, characteristic.uuid, by: client)
        characteristic.unsubscribe()
    }

    private func scheduleNotification(of characteristic: PeripheralCharacteristic) {
        guard let interval = characteristic.model.notifyInterval else { return }
        let timer = air.loop.schedule(after: interval) { [weak self] in
            guard let self else { return }
            scheduleNotification(of: characteristic)
            notify(characteristic, sample(characteristic))
        }
        characteristic.scheduleNotification(timer)
    }

    /// Sends a value to the client, if the client is subscribed.
    func notify(_ characteristic: PeripheralCharacteristic, _ value: [UInt8]) {
        guard characteristic.isSubscribed, let link else { return }
        link.notified(Array(value.prefix(Int(model.mtu) - 3)), of: characteristic)
    }
}
