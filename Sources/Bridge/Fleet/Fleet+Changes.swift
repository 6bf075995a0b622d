import Bluetooth
import Configuration
import Contract
import Devices
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
        /// Called after requests have changed devices.
        let changed: ([Address]) -> Void
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

    private func sharedAddresses(and others: [Configuration.Device]) -> Set<Address> {
        let present = devices.values.map(\.configuration) + configuration.devices
        return Set((present + others).filter { changeSharing?.includes($0) ?? false }.map(\.address))
    }

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
            let replaced = merged.apply(received.change, of: address, received.revision)
            if let replaced { outcome.replaced.append(replaced.name) }
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
        if let adopted = change.adopted, adopted.json.description.utf8.count > Self.adoptedSize {
            return "the advertisement of the adopted device has more than \(Self.adoptedSize) bytes"
        }
        var others = roster
        others.remove(address)
        let nameCount = others.renamed.count + others.removed.count
        if change.renamed != nil || change.removed != nil, nameCount >= Self.mostNames {
            return "more than \(Self.mostNames) devices were renamed or removed"
        }
        if let addition = change.added, let problem = obstacle(toAdding: addition, to: others) { return problem }
        guard let options = change.options else { return nil }
        if let problem = others.obstacle(toOptions: options, of: address, listed: listed) { return problem }
        return problem(with: options, of: address)
    }

    /// The number of renamed and removed devices of the configuration files of all gateways.
    private static let mostNames = 2000
    /// The greatest size of an adopted device, in bytes of JSON: an advertisement has up to 255 bytes.
    private static let adoptedSize = 4096

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
    private func problem(with options: JSON.Object, of address: Address) -> String? {
        let present = devices.values.first { $0.configuration.address == address }?.configuration
        let configured = entries.configured(address) ?? present ?? configuration.devices.first { $0.address == address }
        guard let configured, let device = try? entries.device(configured, options: options) else { return nil }
        return Roster.problem(with: configured) == nil ? Roster.problem(with: device) : nil
    }
}
