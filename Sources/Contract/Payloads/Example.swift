import Bluetooth
import Codec
import Configuration
import JSON
import System

/// Values for the examples of the documentation.
enum Example {
    /// The time `2026-11-21T05:09:00.123Z`.
    static let time = Timestamp(milliseconds: 1_795_237_740_123)
    /// Ten minutes after `time`.
    static let later = Timestamp(milliseconds: time.milliseconds + 600_000)
    static let address = Address(0xC000_0000_0001)
    static let adapter = Address(0xB827_EB12_3456)
    static let adapters = [AdapterUse(name: "hci0", address: adapter, connections: 2, waiting: 0, capacity: 5)]

    static let refusal = BrokerStatus.Refusal(
        .publish, "homeassistant/device/bluefleet_greenhouse/config",
        reason: "the broker closes the connection when the gateway publishes on it")

    static let restriction = BrokerStatus.Restriction(
        .packetSize, effect: "the broker accepts packets of up to 32768 bytes: longer messages are not published")

    static let fleet = FleetHealth(
        decider: "attic", epoch: 7, members: ["attic", "cellar"], shared: 31, owned: 12, moves: 15, secondsInDoubt: 4,
        ignored: 0)

    static let advertiserProblem =
        "hci0 already sends as many advertisements as it supports: remove an advertiser, also of other programs (btmgmt "
        + "advinfo)"
    static let advertiser = AdvertiserStatus(name: "kitchen", .failed(reason: advertiserProblem))

    static let passkey: Passkey = {
        guard let passkey = Passkey(12345) else { preconditionFailure("012345 has six digits") }
        return passkey
    }()

    /// The payload of a reading of a temperature.
    static var reading: String {
        String(decoding: temperature.payload(.json), as: UTF8.self)
    }

    /// The members of a reading of a temperature, without its time.
    static var readingMembers: JSON.Object { ["value": .number(verbatim: "21.53"), "unit": "°C"] }

    static var temperature: ReceivedReading {
        ReceivedReading(reading: .value(.number(Decimal(2153, exponent: -2)), unit: "°C"), time: time)
    }
}
