import Bluetooth
import Codec
import EventLoop

/// A characteristic in a peripheral's database, with its present value.
final class PeripheralCharacteristic {
    let model: Fleet.Characteristic
    /// The handle of its declaration.
    let handle: UInt16
    let descriptors: [PeripheralDescriptor]
    /// Whether the client wants its values: the Client Characteristic Configuration's lowest two bits.
    var isSubscribed = false
    /// Fires at the next notification.
    var notifying: Timer?

    private enum State {
        case fixed([UInt8])
        case series([[UInt8]], next: Int)
        case player(CurvePlayer, Format, last: [UInt8])
    }

    private var state: State
    /// Its own: what is drawn elsewhere depends on when things happen, and its values are to be the same each time.
    private var generator: SeededGenerator

    /// - Parameter seed: that of the peripheral.
    init(_ model: Fleet.Characteristic, handle: UInt16, _ descriptors: [PeripheralDescriptor], seed: UInt64) {
        self.model = model
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

    /// The value at this moment.
    func sample(at time: Duration) -> [UInt8] {
        switch state {
        case .fixed(let bytes): return bytes
        case .series(let series, let next):
            state = .series(series, next: (next + 1) % series.count)
            return series[next]
        case .player(var player, let format, let last):
            let value = player.next(at: time, using: &generator)
            // A format may carry the ends of a curve and not all between them: one with names for single numbers.
            let bytes = (try? format.encode(nearest: value)) ?? last
            state = .player(player, format, last: bytes)
            return bytes
        }
    }

    /// The value from now on.
    func store(_ bytes: [UInt8]) {
        state = .fixed(bytes)
    }
}
