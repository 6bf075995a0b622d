import Bluetooth
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import System

/// The changes of devices at run time that several gateways share.
extension Fleet {
    /// How other gateways get the changes of requests.
    struct ChangeSharing {
        /// Returns whether this gateway shares a device.
        let includes: (Configuration.Device) -> Bool
        /// Returns the revision of the next change; nil: this gateway does not share now.
        let nextRevision: () -> FleetRevision?
        /// Called after this gateway has changed devices, and others must get the changes.
        let changed: ([Address]) -> Void
        /// Returns whether this gateway publishes a device, by its name.
        let publishes: (String) -> Bool
        /// Returns since when this gateway owns a device, by its name; nil: it does not own the device.
        let ownedSince: (String) -> Instant?
    }

    /// A change of another gateway.
    struct ReceivedChange {
        let revision: FleetRevision
        let change: DeviceChange
    }

    /// The result of the changes of other gateways.
    struct MergeOutcome {
        /// Why changes were not applied, by address.
        var obstacles: [Address: String] = [:]
        /// The names of devices that another device of the same name has replaced.
        var replaced: [String] = []
    }

    // MARK: Changes of this gateway

    /// Gives a revision to each shared device that a request changes.
    ///
    /// - Parameters:
    ///   - roster: The roster after the request.
    ///   - devices: The devices of this roster.
    /// - Returns: The addresses of the devices.
    func revise(_ roster: inout Roster, _ devices: [Configuration.Device]) -> [Address] {
        guard let sharing = changeSharing, let revision = sharing.nextRevision() else { return [] }
        let shared = sharedAddresses(and: devices)
        return roster.revise(after: self.roster, as: revision) { shared.contains($0) }
    }

    /// Gives a revision to the changes that were made before the gateway shared its devices.
    func reviseFormerChanges() async {
        guard let sharing = changeSharing, let gateway = sharing.nextRevision()?.gateway else { return }
        var roster = roster
        let shared = sharedAddresses(and: wanted.list.devices)
        roster.reviseFormerChanges(of: gateway) { shared.contains($0) }
        guard roster != self.roster else { return }
        do throws(SystemError) {
            try await apply(roster)
        } catch {
            log.error("\(error): the devices that were added on this gateway are not shared")
        }
    }

    /// Stores the roster after adoptions, and applies it.
    ///
    /// Other gateways get an adopted device later, when it has sent a value. They get at once that such a device was replaced.
    func applyAdoptions(_ roster: Roster) async throws(SystemError) {
        var roster = roster
        let revision = changeSharing?.nextRevision()
        let replaced = revision.map { roster.revise(after: self.roster, as: $0) { _ in false } } ?? []
        try await apply(roster)
        if !replaced.isEmpty { changeSharing?.changed(replaced) }
    }

    /// The names of the adopted devices that other gateways must get, by address: this gateway has published values of them.
    ///
    /// A sender may invent devices, so a device without a value stays on this gateway.
    private var adoptionsToPassOn: [Address: String] {
        guard let changeSharing else { return [:] }
        let named = roster.ownAdoptions.compactMap { adopted -> (Address, String)? in
            guard let device = device(of: adopted), changeSharing.publishes(device.name),
                hasValue(device)
            else { return nil }
            return (adopted.address, device.name)
        }
        return Dictionary(uniqueKeysWithValues: named)
    }

    /// Passes adopted devices on to the other gateways that share them.
    func passOnAdoptions() {
        guard !adoptionsToPassOn.isEmpty else { return }
        change { [weak self] in await self?.makeAdoptionsKnown() }
    }

    private func makeAdoptionsKnown() async {
        let names = adoptionsToPassOn
        guard !names.isEmpty, let revision = changeSharing?.nextRevision() else { return }
        var roster = roster
        roster.passOn(names, as: revision)
        do throws(SystemError) {
            try await apply(roster)
        } catch {
            // The sharing tries again with its next look at the devices.
            return log.error("\(error): devices that this gateway has adopted are not shared")
        }
        changeSharing?.changed(names.keys.sorted { $0.value < $1.value })
    }

    private func sharedAddresses(and others: [Configuration.Device]) -> Set<Address> {
        let present = devices.values.map(\.configuration) + configuration.devices
        return Set((present + others).filter { changeSharing?.includes($0) ?? false }.map(\.address))
    }

    // MARK: Changes of other gateways

    /// Applies the newer ones among changes of other gateways; those that exceed the limits or are not valid are left out.
    func merge(_ changes: [Address: ReceivedChange]) async throws(SystemError) -> MergeOutcome {
        var outcome = MergeOutcome()
        var merged = roster
        let listed = Set(configuration.devices.map(\.address))
        let sorted = changes.sorted { ($0.value.revision, $0.key.value) < ($1.value.revision, $1.key.value) }
        for (address, received) in sorted where merged.revisions[address].map({ $0 < received.revision }) ?? true {
            if let obstacle = obstacle(to: received.change, of: address, in: merged, listed: listed) {
                outcome.obstacles[address] = obstacle
                continue
            }
            if received.change.adopted != nil { merged.makeRoom(forAdopted: address, replacing: hasNoValue) }
            let replaced = merged.apply(received.change, of: address, received.revision)
            if let replaced { outcome.replaced.append(replaced.name) }
            await loop.yield()
        }
        if merged != roster { try await apply(merged) }
        return outcome
    }

    /// Returns why a change of another gateway cannot be applied; nil: it can.
    private func obstacle(
        to change: DeviceChange, of address: Address, in roster: Roster, listed: Set<Address>
    ) -> String? {
        for name in change.names {
            if let problem = TopicName.problem(inDeviceName: name) { return problem }
        }
        let present = devices.values.first { $0.configuration.address == address }?.configuration
        if let present, changeSharing?.includes(present) != true { return "this gateway does not share the device" }
        if roster.revisions[address] == nil, roster.revisions.count >= FleetLimits.devices {
            return "more than \(FleetLimits.devices) devices were changed"
        }
        if let adopted = change.adopted, let problem = obstacle(toAdopting: adopted, to: roster) { return problem }
        var others = roster
        others.removeChanges(of: address)
        let nameCount = others.renamed.count + others.removed.count
        if change.renamed != nil || change.removed != nil, nameCount >= Self.mostNames {
            return "more than \(Self.mostNames) devices were renamed or removed"
        }
        if let addition = change.added, let problem = obstacle(toAdding: addition, to: others) { return problem }
        guard let settings = change.options else { return nil }
        let options = Roster.Options(settings)
        if let problem = others.obstacle(toOptions: options, of: address, listed: listed) { return problem }
        return problem(with: options, of: address)
    }

    /// The number of renamed and removed devices of the configuration files of all gateways.
    private static let mostNames = 2000
    /// The greatest size of an adopted device, in bytes of JSON: an advertisement has up to 255 bytes.
    private static let adoptedSize = 4096

    private func obstacle(toAdopting adopted: AdoptedDevice, to roster: Roster) -> String? {
        if adopted.json.description.utf8.count > Self.adoptedSize {
            return "the advertisement of the adopted device has more than \(Self.adoptedSize) bytes"
        }
        if let device = configuration.fleet.device(of: adopted), changeSharing?.includes(device) != true {
            return "this gateway does not share the device"
        }
        let others = roster.adopted.filter { $0.address != adopted.address }
        guard others.count >= Roster.mostAdopted, roster.replaceableAdoption(where: hasNoValue) == nil else {
            return nil
        }
        return "\(others.count) devices are adopted: remove some"
    }

    /// Returns whether an adopted device has sent no value since the start, or is not managed.
    private func hasNoValue(_ adopted: AdoptedDevice) -> Bool {
        device(of: adopted).map { !hasValue($0) } ?? true
    }

    private func obstacle(toAdding addition: Roster.Addition, to roster: Roster) -> String? {
        if let rival = roster.added.first(where: { $0.name == addition.name })?.address,
            roster.revisions[rival] == nil
        {
            return "a device of this name was added here, and is not shared"
        }
        do throws(RequestError) {
            let device = try checked(addition, among: roster)
            return changeSharing?.includes(device) == true ? nil : "this gateway does not share the device"
        } catch {
            return error.message
        }
    }

    /// Returns why options read or connect a device too often; nil: they do not.
    private func problem(with options: Roster.Options, of address: Address) -> String? {
        let present = devices.values.first { $0.configuration.address == address }?.configuration
        let configured = entries.configured(address) ?? present ?? configuration.devices.first { $0.address == address }
        guard let configured, let device = try? entries.device(configured, options: options).device else { return nil }
        return Roster.problem(with: configured) == nil ? Roster.problem(with: device) : nil
    }
}
