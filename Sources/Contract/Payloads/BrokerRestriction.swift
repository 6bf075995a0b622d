import JSON
package import MQTT

extension BrokerStatus {
    /// A limit of the broker that changes what clients receive.
    package struct Restriction: Equatable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            case retain, qos
            case packetSize = "packet_size"
            case wildcards
        }

        package let kind: Kind
        /// The limit and its effect, in words.
        package let effect: String

        package init(_ kind: Kind, effect: String) {
            self.kind = kind
            self.effect = effect
        }

        /// The advice that lifts the limit.
        package var remedy: String {
            switch kind {
            case .retain: "allow retained messages in the settings of the broker (mosquitto: retain_available true)"
            case .qos: "raise the limit in the settings of the broker (mosquitto: max_qos), or lower qos"
            case .packetSize: "raise the limit in the settings of the broker (mosquitto: max_packet_size)"
            case .wildcards: "allow wildcards in subscriptions in the settings of the broker"
            }
        }

        var json: JSON { ["type": .string(kind.rawValue), "effect": .string(effect)] }

        init?(_ json: JSON) {
            guard let kind = json["type"]?.string.flatMap({ Kind(rawValue: $0) }), let effect = json["effect"]?.string
            else { return nil }
            self.init(kind, effect: effect)
        }
    }

    /// The size in bytes below which a limit of packets may concern the messages of a usual gateway.
    private static let usualPacketSize = 128 << 10

    /// Returns the restrictions that follow from the limits of a broker.
    ///
    /// - Parameters:
    ///   - limits: The limits that the broker has announced.
    ///   - quality: The configured quality of service.
    /// - Returns: The restrictions that have an effect.
    package static func restrictions(_ limits: BrokerLimits, quality: QualityOfService) -> [Restriction] {
        var list: [Restriction] = []
        if !limits.retainsMessages {
            list.append(
                .init(
                    .retain,
                    effect:
                        "the broker retains no messages: a client that subscribes later receives no value before the "
                        + "next one, and Home Assistant loses the devices when it restarts"))
        }
        if limits.bestQuality < quality {
            let effect = limits.bestQuality == .atMostOnce ? "messages may be lost" : "a message may arrive twice"
            list.append(
                .init(
                    .qos,
                    effect: "the broker supports quality of service \(limits.bestQuality.rawValue) at most: \(effect)")
            )
        }
        if let size = limits.maximumPacketSize, size < usualPacketSize {
            list.append(
                .init(
                    .packetSize,
                    effect: "the broker accepts packets of up to \(size) bytes: longer messages are not published"))
        }
        if !limits.acceptsWildcards {
            list.append(
                .init(.wildcards, effect: "the broker supports no wildcards in subscriptions: no request arrives"))
        }
        return list
    }
}
