import Bluetooth
import DBus
import EventLoop

/// The advertisements that clients have registered at an adapter.
///
/// Source: BlueZ 5.66, src/advertising.c.
final class AdvertisingManager {
    /// The greatest length of an advertisement and of its scan response, in bytes.
    private static let longestData = 31
    private static let interface = "org.bluez.LEAdvertisement1"
    private static let unreadable = BlueZError.failed("Failed to parse advertisement.")
    private static let refusedByKernel = BlueZError.failed("Failed to register advertisement")

    private struct Registration {
        let client: String
        let path: String
        /// The peripheral that sends the advertisement; nil: bluetoothd is still reading it.
        var sender: Peripheral?
    }

    private unowned let adapter: AdapterObject
    private var registrations: [Registration] = []

    init(of adapter: AdapterObject) {
        self.adapter = adapter
    }

    private var host: Host { adapter.host }

    /// The number of advertisements.
    var count: Int { registrations.count }

    // MARK: Calls

    func register(_ call: Call) throws(DBusError) {
        let path = call.arguments[0].text ?? ""
        if index(call.client, path) != nil { throw BlueZError.alreadyExists }
        guard registrations.count < adapter.model.advertisements else {
            throw BlueZError.notPermitted("Maximum advertisements reached")
        }
        registrations.append(Registration(client: call.client, path: path))
        host.ask(
            call.client, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(Self.interface)]
        ) { [weak self] result in
            self?.read(result, for: call, path)
        }
    }

    func unregister(_ call: Call) throws(DBusError) {
        guard let index = index(call.client, call.arguments[0].text ?? "") else { throw BlueZError.doesNotExist }
        remove(at: index)
        call.reply()
    }

    private func index(_ client: String, _ path: String) -> Int? {
        registrations.firstIndex { $0.client == client && $0.path == path }
    }

    private func read(_ result: Result<[Variant], DBusError>, for call: Call, _ path: String) {
        guard let index = index(call.client, path) else { return call.fail(BlueZError.failed("Aborted")) }
        do throws(DBusError) {
            let properties = try result.get().first?.dictionary ?? [:]
            let advertising = try Self.advertising(properties)
            if adapter.faults.happens(.advertisingFails) { throw Self.refusedByKernel }
            registrations[index].sender = host.air.send(
                advertising, named: properties["LocalName"]?.text, from: adapter.model, isOn: adapter.isPowered)
            changed()
            call.reply()
        } catch {
            registrations.remove(at: index)
            call.fail(error)
        }
    }

    // MARK: Changes

    /// Handles the signal of a client that properties of its advertisement have changed.
    func propertiesChanged(_ message: Message) {
        let arguments = message.arguments
        guard arguments.first?.text == Self.interface, let changed = arguments.dropFirst().first?.dictionary,
            let index = index(message.sender, message.path),
            let data = changed["ServiceData"].flatMap(Self.serviceData)
        else { return }
        registrations[index].sender?.changeServiceData(data)
    }

    func clientLeft(_ client: String) {
        for index in registrations.indices.reversed() where registrations[index].client == client { remove(at: index) }
    }

    /// Pauses or continues the advertisements: the kernel keeps them while the adapter is off.
    func powerChanged(isOn: Bool) {
        for registration in registrations { registration.sender?.switchAdvertising(on: isOn) }
    }

    /// Ends all advertisements without signals.
    func close() {
        for registration in registrations { if let sender = registration.sender { host.air.endSending(sender) } }
        registrations = []
    }

    private func remove(at index: Int) {
        if let sender = registrations.remove(at: index).sender { host.air.endSending(sender) }
        changed()
    }

    private func changed() {
        for property in ["ActiveInstances", "SupportedInstances"] {
            adapter.tree.changed(property, of: AdapterObject.advertisingManager.name, at: adapter)
        }
    }

    // MARK: The data

    /// Returns the advertisements that the properties of an object describe.
    private static func advertising(
        _ properties: [String: Variant]
    ) throws(DBusError) -> SimulatedFleet.Advertising {
        let isConnectable: Bool
        switch properties["Type"]?.text {
        case "peripheral": isConnectable = true
        case "broadcast": isConnectable = false
        default: throw unreadable
        }
        let isDiscoverable = properties["Discoverable"]?.boolean ?? false
        guard isConnectable || properties["Discoverable"] == nil else {
            throw unreadable
        }
        let data = properties["ServiceData"].flatMap(serviceData) ?? []
        let sizes = data.map { uuid, values in 2 + (uuid.isShort ? 2 : 16) + values[0].count }
        // bluetoothd reads each part, and compares the length of all parts after the kernel has accepted the parameters.
        if sizes.contains(where: { $0 > longestData }) { throw unreadable }
        let size = sizes.reduce(isDiscoverable ? 3 : 0, +)
        let nameSize = properties["LocalName"]?.text.map { 2 + $0.utf8.count } ?? 0
        if max(size, nameSize) > longestData { throw refusedByKernel }
        let interval = properties["MinInterval"]?.integer ?? 1280
        return SimulatedFleet.Advertising(
            isOn: true, interval: .milliseconds(interval), services: [], serviceData: data, manufacturerData: [],
            txPower: nil, rssi: -50, strengths: [:], jitter: 0, isConnectable: isConnectable,
            isDiscoverable: isDiscoverable)
    }

    private static func serviceData(_ value: Variant) -> [(UUID, [[UInt8]])]? {
        value.dictionary.map { data in
            data.compactMap { uuid, bytes in
                guard let uuid = UUID(uuid), let bytes = bytes.bytes else { return nil }
                return (uuid, [bytes])
            }
        }
    }
}

extension UUID {
    /// Whether the UUID has 16 bits in an advertisement.
    fileprivate var isShort: Bool { description.count == 4 }
}
