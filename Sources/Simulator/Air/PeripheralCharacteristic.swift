import Bluetooth
import Codec
import EventLoop

/// A characteristic in a peripheral's attribute database, with its current value.
final class PeripheralCharacteristic {
    let model: SimulatedFleet.Characteristic
    /// The handle of the declaration.
    let handle: UInt16
    let descriptors: [PeripheralDescriptor]
    /// Answers the written questions; nil: there are none.
    let answers: AnswerPlayer?
    /// Whether a client has enabled notifications or indications.
    private(set) var isSubscribed = false
    /// The timer that sends the next notification.
    private var notifying: Timer?

    private enum State {
        case fixed([UInt8])
        case series([[UInt8]], next: Int)
        case player(CurvePlayer, Format, last: [UInt8])
    }

    private var state: State
    /// The generator of the random values of this characteristic.
    ///
    /// It is not shared with other random numbers, whose order depends on timing: the values must be reproducible.
    private var generator: SeededGenerator

    /// - Parameters:
    ///   - model: The characteristic in the fleet.
    ///   - handle: The handle of the declaration.
    ///   - descriptors: The descriptors of the characteristic.
    ///   - seed: The peripheral's seed.
    init(_ model: SimulatedFleet.Characteristic, handle: UInt16, _ descriptors: [PeripheralDescriptor], seed: UInt64) {
        self.model = model
        answers = model.answers.isEmpty ? nil : AnswerPlayer(model.answers, seed: seed ^ UInt64(handle) << 32)
        generator = SeededGenerator(seed: seed ^ UInt64(handle) << 32)
        self.handle = handle
        self.descriptors = descriptors
        switch model.content {
        case .bytes(let series):
            state = series.count == 1 ? .fixed(series[0]) : .series(series, next: 0)
        case .values(.constant(let value), let format):
            state = .fixed((try? format.encode(nearest: value)) ?? [])
        case .values(let curve, let format):
            let first = curve.extremes.first.flatMap { try? format.encode(nearest: $0) }
            state = .player(CurvePlayer(curve), format, last: first ?? [])
        }
    }

    var uuid: UUID { model.uuid }

    /// Returns the value for one reading or notification, at a time since the start of the simulation.
    func sample(at time: Duration) -> [UInt8] {
        switch state {
        case .fixed(let bytes): return bytes
        case .series(let series, let next):
            state = .series(series, next: (next + 1) % series.count)
            return series[next]
        case .player(var player, let format, let last):
            let value = player.next(at: time, using: &generator)
            // Some formats can encode both ends of a curve but not every value between them, e.g. if they name numbers.
            let bytes = (try? format.encode(nearest: value)) ?? last
            state = .player(player, format, last: bytes)
            return bytes
        }
    }

    /// Replaces the value.
    func store(_ bytes: [UInt8]) {
        state = .fixed(bytes)
    }

    // MARK: Subscription

    /// Enables notifications or indications.
    func subscribe() {
        isSubscribed = true
        configure([model.properties.contains(.notify) ? 1 : 2, 0])
    }

    /// Disables notifications and indications.
    func unsubscribe() {
        isSubscribed = false
        notifying?.cancel()
        configure([0, 0])
    }

    /// Replaces the timer of the next notification.
    func scheduleNotification(_ timer: Timer) {
        notifying?.cancel()
        notifying = timer
    }

    private func configure(_ value: [UInt8]) {
        descriptors.first { $0.uuid == PeripheralDescriptor.configuration }?.store(value)
    }
}
