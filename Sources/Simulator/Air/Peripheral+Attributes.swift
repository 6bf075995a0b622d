import Bluetooth
import EventLoop

/// What a client may do with a peripheral's attributes.
extension Peripheral {
    /// The first characteristic with this UUID.
    func characteristic(_ uuid: UUID) -> PeripheralCharacteristic? {
        services.lazy.flatMap(\.characteristics).first { $0.uuid == uuid }
    }

    /// Whether it is one of its present attributes, as far as that is played.
    func has(_ characteristic: PeripheralCharacteristic) -> Bool {
        !faults.isPlanned(.cacheStale) || services.contains { $0.characteristics.contains { $0 === characteristic } }
    }

    func read(
        _ characteristic: PeripheralCharacteristic, offset: Int, isBonded: Bool, by client: String
    ) throws(ATTError) -> [UInt8] {
        touched()
        record(.read, characteristic.uuid, by: client)
        guard has(characteristic) else { throw ATTError(code: 0x01) }
        let model = characteristic.model
        if model.needsBond && !isBonded { throw ATTError(code: 0x05) }
        if let code = model.readError { throw ATTError(code: code) }
        guard model.properties.contains(.read) else { throw ATTError(code: 0x02) }
        return try Self.part(of: sample(characteristic), from: offset, mtu: self.model.mtu)
    }

    func read(_ descriptor: PeripheralDescriptor, offset: Int, by client: String) throws(ATTError) -> [UInt8] {
        touched()
        record(.read, descriptor.uuid, by: client)
        return try Self.part(of: descriptor.value, from: offset, mtu: model.mtu)
    }

    private static func part(of value: [UInt8], from offset: Int, mtu: UInt16) throws(ATTError) -> [UInt8] {
        if offset == 0 { return value }
        if offset > value.count { throw ATTError(code: 0x07) }
        // What fits into one packet is not a long attribute.
        if value.count < mtu { throw ATTError(code: 0x0B) }
        return Array(value[offset...])
    }

    func write(
        _ value: [UInt8], at offset: Int, to characteristic: PeripheralCharacteristic,
        _ kind: PeripheralEvent.Kind = .write, isBonded: Bool, by client: String
    ) throws(ATTError) {
        touched()
        record(kind, characteristic.uuid, value, by: client)
        guard has(characteristic) else { throw ATTError(code: 0x01) }
        let model = characteristic.model
        if model.needsBond && !isBonded { throw ATTError(code: 0x05) }
        if let code = model.writeError { throw ATTError(code: code) }
        guard model.properties.contains(.write) else { throw ATTError(code: 0x03) }
        let old = offset == 0 ? [] : sample(characteristic)
        if offset > old.count { throw ATTError(code: 0x07) }
        if offset + value.count > Self.valueLimit { throw ATTError(code: 0x0D) }
        take(old.prefix(offset) + value, for: characteristic)
    }

    /// A write that nobody answers: what is not allowed has no effect.
    func command(_ value: [UInt8], to characteristic: PeripheralCharacteristic, by client: String) {
        touched()
        record(.command, characteristic.uuid, value, by: client)
        if characteristic.model.properties.contains(.writeWithoutResponse) { take(value, for: characteristic) }
    }

    func write(_ value: [UInt8], to descriptor: PeripheralDescriptor, by client: String) throws(ATTError) {
        touched()
        record(.write, descriptor.uuid, value, by: client)
        if value.count > Self.valueLimit { throw ATTError(code: 0x0D) }
        descriptor.value = value
    }

    /// Acts on what was written: keeps it, mirrors it, and tells those who subscribe.
    private func take(_ value: [UInt8], for characteristic: PeripheralCharacteristic) {
        characteristic.store(value)
        notify(characteristic, value)
        if let mirror = characteristic.model.mirror.flatMap(self.characteristic) {
            mirror.store(value)
            notify(mirror, value)
        }
    }

    func sample(_ characteristic: PeripheralCharacteristic) -> [UInt8] {
        characteristic.sample(at: air.elapsed)
    }

    // MARK: Notifications

    func subscribe(_ characteristic: PeripheralCharacteristic, by client: String) {
        touched()
        record(.subscribed, characteristic.uuid, by: client)
        characteristic.isSubscribed = true
        let bits: UInt8 = characteristic.model.properties.contains(.notify) ? 1 : 2
        configure(characteristic, [bits, 0])
        scheduleNotification(of: characteristic)
    }

    func unsubscribe(_ characteristic: PeripheralCharacteristic, by client: String) {
        touched()
        record(.unsubscribed, characteristic.uuid, by: client)
        unsubscribe(characteristic)
    }

    /// The end of a link ends its subscriptions too.
    func unsubscribe(_ characteristic: PeripheralCharacteristic) {
        characteristic.isSubscribed = false
        characteristic.notifying?.cancel()
        configure(characteristic, [0, 0])
    }

    private func configure(_ characteristic: PeripheralCharacteristic, _ value: [UInt8]) {
        characteristic.descriptors.first { $0.uuid == PeripheralDescriptor.configuration }?.value = value
    }

    private func scheduleNotification(of characteristic: PeripheralCharacteristic) {
        characteristic.notifying?.cancel()
        guard let interval = characteristic.model.notifyInterval else { return }
        characteristic.notifying = air.loop.schedule(after: interval) { [weak self] in
            guard let self else { return }
            scheduleNotification(of: characteristic)
            notify(characteristic, sample(characteristic))
        }
    }

    /// Sends a value to the client, if that has subscribed.
    func notify(_ characteristic: PeripheralCharacteristic, _ value: [UInt8]) {
        guard characteristic.isSubscribed, let link else { return }
        link.notified(Array(value.prefix(Int(model.mtu) - 3)), of: characteristic)
    }
}
