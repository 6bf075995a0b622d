import EventLoop

/// A broker that can defer its acknowledgements.
final class SlowBroker {
    private final class Ledger {
        var isAcknowledging = true
        var payloads: [String] = []
        var acknowledgements: [UInt8] = []
    }

    private let ledger = Ledger()
    private let broker: FakeBroker

    init(on loop: EventLoop) throws {
        broker = try FakeBroker(on: loop) { [ledger] packet, body in
            switch packet {
            case .connect: return FakeBroker.accepted
            case .publish:
                // Topic, identifier, properties, payload (MQTT 5, 3.3).
                let identifier = 2 + Int(body[0]) << 8 + Int(body[1])
                let payload = identifier + 3 + Int(body[identifier + 2])
                ledger.payloads.append(String(decoding: body[payload...], as: UTF8.self))
                let acknowledgement = [0x40, 2, body[identifier], body[identifier + 1]]
                if ledger.isAcknowledging { return acknowledgement }
                ledger.acknowledgements += acknowledgement
                return []
            default: return []
            }
        }
    }

    var port: UInt16 { broker.port }
    var payloads: [String] { ledger.payloads }

    func stopAcknowledging() {
        ledger.isAcknowledging = false
    }

    func acknowledgeAll() {
        ledger.isAcknowledging = true
        broker.send(ledger.acknowledgements)
        ledger.acknowledgements = []
    }

    func closeConnections() {
        broker.closeConnections()
    }
}
