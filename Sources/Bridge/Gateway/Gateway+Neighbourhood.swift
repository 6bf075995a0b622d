internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON

/// What is in range, and what it has: for those who look for devices.
extension Gateway {
    /// Listens for a while, and tells what was heard.
    func scan(for duration: Duration) async throws(RequestError) -> JSON {
        try checkBluetooth()
        let listener = NeighbourhoodListener()
        let observation = await central.observe { [loop] sighting in
            listener.neighbourhood.take(sighting, at: loop.timestamp)
        }
        await loop.sleep(for: duration)
        await central.stopObserving(observation)
        let names = Dictionary(devices.values.map { ($0.configuration.address, $0.name) }) { first, _ in first }
        let neighbours = listener.neighbourhood.all.map { neighbour -> JSON in
            guard let name = names[neighbour.address], var object = neighbour.json.object else { return neighbour.json }
            object["device"] = .string(name)
            return .object(object)
        }
        return ["devices": .array(neighbours)]
    }

    /// Looks through a device, over the link that a configured one has or else over one of its own.
    func inspect(_ address: Address, _ request: Request) {
        let device = device(at: address)
        if let device, device.configuration.connect != .never {
            device.assumeIsolated { $0.accept(.inspect, timeToLive: request.timeToLive, reply: request.reply) }
        } else {
            answer(request) { gateway throws(RequestError) in
                try await gateway.inspect(address, within: request.timeToLive)
            }
        }
    }

    private func inspect(_ address: Address, within limit: Duration) async throws(RequestError) -> JSON {
        try checkBluetooth()
        guard inspected.insert(address).inserted else {
            throw RequestError(.busy, "\(address): it is being inspected already")
        }
        defer { inspected.remove(address) }
        return try await withStranger(address, within: limit) { gateway, peripheral throws(CentralError) in
            try await gateway.central.connect(peripheral, priority: .command)
            return try await InspectedDevice(peripheral).json
        }
    }

    /// Lets go of a peripheral that no device is, and no request is about.
    func forget(_ address: Address) {
        guard device(at: address) == nil, !strangers.contains(address) else { return }
        central.assumeIsolated { $0.forget(address) }
    }

    func checkBluetooth() throws(RequestError) {
        guard central.assumeIsolated({ $0.state }) == .poweredOn else {
            throw RequestError(.bluetoothOff, "Bluetooth cannot be used: \(bluetoothReason)")
        }
    }
}

/// Gathers what is heard while a scan lasts; it lives on the loop.
private final class NeighbourhoodListener: @unchecked Sendable {
    var neighbourhood = Neighbourhood()
}
