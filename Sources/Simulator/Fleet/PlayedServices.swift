import Bluetooth
import Codec
import Configuration

/// The services of a peripheral that plays a profile: values, unasked frames, and answers to questions.
struct PlayedServices {
    /// A characteristic that the profile uses.
    private struct Slot: Hashable {
        let service: UUID
        let uuid: UUID
        /// The position among the characteristics with the same UUIDs, from 1 on.
        let instance: Int
    }

    /// The use of a characteristic.
    private struct Use {
        var properties: CharacteristicProperties = []
        /// The values and unasked frames, which follow each other.
        var values: [[UInt8]] = []
        var answers: [AnswerRule] = []
        /// Whether the values are notified at an interval.
        var isNotified = false
    }

    /// The interval of notifications that are not answers.
    private static let interval = Duration.seconds(1)
    /// The service of characteristics that the profile names without a service.
    private static let unnamedService = UUID(0xFFF0 as UInt16)

    private let settings: Configuration.DeviceSettings
    /// The services by characteristic, as far as the profile names them.
    private let knownServices: [UUID: UUID]
    private var slots: [Slot] = []
    private var uses: [Slot: Use] = [:]

    init(_ profile: PlayedProfile) {
        settings = profile.settings
        let places = settings.places
        knownServices = places.reduce(into: [:]) { services, place in
            if let service = place.service, services[place.characteristic] == nil {
                services[place.characteristic] = service
            }
        }
        for characteristic in settings.characteristics {
            if let exchange = characteristic.exchange {
                add(exchange.question, exchange.answer)
            } else {
                add(characteristic)
            }
        }
        for first in settings.first { add(first.question, first.answer) }
        // A device that refuses a question in one test answers it in another one: the values are played.
        for test in profile.tests where !test.isFailure { play(test) }
        for test in profile.tests where test.isFailure { play(test) }
        for test in profile.tests {
            for other in test.others { add(other.question, other.answer, of: test) }
        }
        fillValues()
    }

    /// The services of the peripheral, in the order of the profile.
    var services: [SimulatedFleet.Service] {
        let uuids = slots.reduce(into: [UUID]()) { if !$0.contains($1.service) { $0.append($1.service) } }
        return uuids.map { uuid in
            SimulatedFleet.Service(
                uuid: uuid, isPrimary: true, includes: [],
                characteristics: slots.filter { $0.service == uuid }.map(characteristic))
        }
    }

    private func characteristic(_ slot: Slot) -> SimulatedFleet.Characteristic {
        let use = uses[slot] ?? Use()
        return SimulatedFleet.Characteristic(
            uuid: slot.uuid, properties: use.properties, content: use.values.isEmpty ? .empty : .bytes(use.values),
            notifyInterval: use.isNotified && !use.values.isEmpty ? Self.interval : nil, readError: nil,
            writeError: nil, subscribeError: nil, needsBond: false, mirror: nil, answers: use.answers, descriptors: [])
    }

    // MARK: Characteristics

    private func slot(_ place: Configuration.Place, instance: Int = 1) -> Slot {
        let service = place.service ?? knownServices[place.characteristic] ?? Self.unnamedService
        return Slot(service: service, uuid: place.characteristic, instance: instance)
    }

    private mutating func change(_ slot: Slot, _ change: (inout Use) -> Void) {
        if uses[slot] == nil { slots.append(slot) }
        change(&uses[slot, default: Use()])
    }

    private mutating func add(_ question: Configuration.Question?, _ answer: Configuration.Answer?) {
        if let question {
            let isConfirmed = question.isConfirmed ?? true
            change(slot(question.destination)) { $0.properties.insert(isConfirmed ? .write : .writeWithoutResponse) }
        }
        guard let answer else { return }
        if case .read = answer.method { change(slot(answer.source)) { $0.properties.insert(.read) } }
        for channel in answer.channels { change(slot(channel)) { $0.properties.insert(.notify) } }
    }

    private mutating func add(_ characteristic: Configuration.Characteristic) {
        change(slot(characteristic)) { use in
            switch characteristic.write {
            case nil: break
            case .withoutResponse: use.properties.insert(.writeWithoutResponse)
            case .withResponse, .reliable: use.properties.insert(.write)
            }
            if characteristic.subscribe { use.properties.insert(.notify) }
            if characteristic.read != nil || characteristic.write == nil { use.properties.insert(.read) }
            use.isNotified = characteristic.subscribe
        }
    }

    private func slot(_ characteristic: Configuration.Characteristic) -> Slot {
        let place = Configuration.Place(service: characteristic.service, characteristic: characteristic.uuid)
        return slot(place, instance: characteristic.instance)
    }

    /// Gives zeros to characteristics without a recorded value.
    private mutating func fillValues() {
        for characteristic in settings.characteristics where !characteristic.isExchange {
            let size = characteristic.meaning?.fixedSize
            change(slot(characteristic)) { use in
                if use.values.isEmpty, let size { use.values = [[UInt8](repeating: 0, count: size)] }
            }
        }
    }

    // MARK: Tests

    private mutating func play(_ test: ProfileTest) {
        if let question = test.question { return add(question, test.answer, of: test) }
        guard let entry = settings.characteristics.first(where: { $0.name == test.entry }) else { return }
        guard let exchange = entry.exchange else {
            let isFailure = test.isFailure
            for piece in test.answer {
                change(slot(entry)) { if !isFailure || $0.values.isEmpty { $0.values.append(piece.bytes) } }
            }
            return
        }
        // Frames that arrive unasked.
        guard let source = exchange.answer?.source, !test.isFailure else { return }
        for piece in test.answer {
            let place = piece.source.map { Configuration.Place(service: nil, characteristic: $0) } ?? source
            change(slot(place)) { use in
                use.values.append(piece.bytes)
                use.isNotified = true
            }
        }
    }

    /// Adds the answer to a question of an entry.
    private mutating func add(_ question: BytePattern, _ answer: [ProfileTest.Piece], of test: ProfileTest) {
        let (destinations, source) = self.places(of: test.entry)
        let messages = answer.map { piece in
            AnswerRule.Message(from: piece.source ?? source, piece.bytes.map { .fixed($0) })
        }
        let rule = AnswerRule(question: question, messages: messages)
        for slot in Set(destinations.map { slot($0) }) { change(slot) { $0.answers.append(rule) } }
    }

    /// Returns where the questions of an entry are written, and where its answers arrive.
    private func places(of entry: String) -> (destinations: [Configuration.Place], source: UUID?) {
        guard entry != "first" else {
            return (
                settings.first.map(\.question.destination),
                settings.first.lazy.compactMap(\.answer).first?.source.characteristic
            )
        }
        let characteristic = settings.characteristics.first { $0.name == entry }
        let answering = settings.characteristics.first { $0.name == characteristic?.exchange?.answeringEntry }
        let answer = (answering ?? characteristic)?.exchange?.answer
        return (
            [characteristic?.exchange?.question?.destination].compactMap { $0 }, answer?.source.characteristic
        )
    }
}

extension ProfileTest {
    /// Whether the device refuses the question, or the answer has no values.
    fileprivate var isFailure: Bool {
        if case .failure = expectation { true } else { false }
    }
}

extension Configuration.DeviceSettings {
    /// The characteristics of all entries and questions.
    fileprivate var places: [Configuration.Place] {
        let exchanges =
            characteristics.compactMap(\.exchange).map { ($0.question, $0.answer) }
            + first.map { ($0.question, $0.answer) }
        let asked = exchanges.flatMap { question, answer in
            [question?.destination, answer?.source].compactMap { $0 } + (answer?.channels ?? [])
        }
        let plain = characteristics.filter { !$0.isExchange }.map {
            Configuration.Place(service: $0.service, characteristic: $0.uuid)
        }
        return asked + plain
    }
}
