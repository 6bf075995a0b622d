package import BlueZ
import Bluetooth
package import Configuration
package import Devices

/// The discovered characteristics of a device that its questions are written to, and those that send its answers.
package final class QuestionAttributes {
    package let plan: ConversationPlan
    /// The characteristic to write, by item; nil: the device lacks it, or the item has no question.
    private var destinations: [BlueZ.Characteristic?]
    /// The characteristic to read, by item; nil: the device lacks it, or the answer is not read.
    private var sources: [BlueZ.Characteristic?]
    private var channels: [BlueZ.Characteristic?]

    package init(_ plan: ConversationPlan) {
        self.plan = plan
        destinations = Array(repeating: nil, count: plan.items.count)
        sources = destinations
        channels = Array(repeating: nil, count: plan.channels.count)
    }

    /// The services of all places; nil if a place is configured without its service.
    var services: Set<UUID>? {
        var services: Set<UUID> = []
        for place in plan.places {
            guard let service = place.service else { return nil }
            services.insert(service)
        }
        return services
    }

    /// All discovered characteristics on which answers arrive.
    var subscribable: [BlueZ.Characteristic] { channels.compactMap { $0 } }

    /// The channels that the device has.
    package var presentChannels: Set<Int> { Set(channels.indices.filter { channels[$0] != nil }) }

    /// Finds the characteristics; of several with one UUID, the first that supports the use.
    ///
    /// - Returns: The names of the entries and channels that the device has.
    @discardableResult package func bind(_ services: [BlueZ.Service]) -> Set<String> {
        func find(_ place: Configuration.Place, _ isUsable: (CharacteristicProperties) -> Bool) -> BlueZ.Characteristic?
        {
            services.filter { place.service == nil || $0.uuid == place.service }.flatMap(\.characteristics)
                .first { $0.uuid == place.characteristic && isUsable($0.properties) }
        }
        destinations = plan.items.map { item in
            item.question.flatMap { find($0.destination) { $0.canWrite } }
        }
        sources = plan.items.map { item in
            guard case .read? = item.answer?.method, let answer = item.answer else { return nil }
            return find(answer.source) { $0.contains(.read) }
        }
        channels = plan.channels.map { find($0) { $0.canSubscribe } }
        var present = Set(presentChannels.map { plan.channels[$0].channelName })
        for (index, item) in plan.items.enumerated().dropFirst(plan.firstCount) where hasPlaces(index, item) {
            present.insert(item.name)
        }
        return present
    }

    /// Returns whether the device has all characteristics of an item.
    private func hasPlaces(_ index: Int, _ item: ConversationPlan.Item) -> Bool {
        if item.question != nil, destinations[index] == nil { return false }
        guard let answer = item.answer else { return true }
        if case .read = answer.method { return sources[index] != nil }
        return answer.channels.allSatisfy { place in
            plan.channels.firstIndex(of: place).map { channels[$0] != nil } ?? false
        }
    }

    /// Forgets the characteristics after the end of the connection or of its services.
    func unbind() {
        destinations = destinations.map { _ in nil }
        sources = destinations
        channels = channels.map { _ in nil }
    }

    /// Returns the characteristic to which a question is written, and how.
    ///
    /// - Parameters:
    ///   - item: The index of the question.
    ///   - count: The number of bytes.
    /// - Returns: The characteristic, and the kind of the write.
    /// - Throws: `QuestionFailure` if the device lacks the characteristic, or if the question is too long for the connection.
    package func destination(
        of item: Int, writing count: Int
    ) throws(QuestionFailure) -> (characteristic: BlueZ.Characteristic, type: WriteType) {
        guard let characteristic = destinations[item], let question = plan.items[item].question else {
            throw .failed("the device lacks a characteristic of the question")
        }
        let isConfirmed = question.isConfirmed ?? characteristic.properties.contains(.write)
        guard count <= characteristic.maximumWriteLength(withResponse: isConfirmed) else {
            let mtu = characteristic.maximumTransmissionUnit ?? 23
            throw .failed("question of \(count) bytes does not fit MTU \(mtu)")
        }
        return (characteristic, isConfirmed ? .withResponse : .withoutResponse)
    }

    package func source(of item: Int) -> BlueZ.Characteristic? { sources[item] }

    /// Returns the characteristic of a channel by the name of its subscription; nil for other names.
    func characteristic(ofChannel name: String) -> BlueZ.Characteristic? {
        channel(named: name).flatMap { channels[$0] }
    }

    /// Returns the channel with the name of a subscription; nil for other names.
    func channel(named name: String) -> Int? {
        plan.channels.firstIndex { $0.channelName == name }
    }

    /// Returns the characteristic of a channel; nil: the device lacks it.
    package func characteristic(of channel: Int) -> BlueZ.Characteristic? { channels[channel] }

    /// Returns the channel of a characteristic; nil if no answers arrive on it.
    package func channel(of characteristic: BlueZ.Characteristic) -> Int? {
        channels.firstIndex { $0 == characteristic }
    }

    /// Returns the places of an entry that the device lacks.
    func missingPlaces(of name: String) -> [Configuration.Place] {
        plan.index(of: name).map { missingPlaces(of: $0) } ?? []
    }

    /// Returns the places of an item that the device lacks.
    package func missingPlaces(of index: Int) -> [Configuration.Place] {
        let item = plan.items[index]
        var missing: [Configuration.Place] = []
        if let question = item.question, destinations[index] == nil { missing.append(question.destination) }
        if let answer = item.answer, case .read = answer.method, sources[index] == nil { missing.append(answer.source) }
        for place in item.answer?.channels ?? [] {
            if let channel = plan.channels.firstIndex(of: place), channels[channel] == nil { missing.append(place) }
        }
        return missing
    }
}
