import Bluetooth
import JSON
import System

extension DeviceTopic {
    package var reference: TopicReference {
        switch self {
        case .availability:
            document(
                "Whether the device can be used.",
                [
                    .init(
                        "state",
                        "`online`: the device is connected and answers, or was seen; `asleep`: it is not connected, on purpose; `stale`: no "
                            + "value has arrived for longer than expected; `offline`: it cannot be reached"),
                    .init("reason", "the reason in words, with `stale` and `offline`"),
                ],
                example: Availability(
                    state: .stale, reason: Availability.noValue(of: "temperature")
                ).json)
        case .connection:
            document(
                "The state of the connection.",
                [
                    .init(
                        "state",
                        "`disconnected`, `waiting` (for a free connection of an adapter, or for the device to be seen), "
                            + "`connecting`, `discovering`, `connected` or `disconnecting`"),
                    .init("reason", "the reason in words, if there is one"),
                    .init("until", "the end of a requested pause"),
                    .init("attempts", "the number of consecutive failed attempts, if the last one failed"),
                    .init("adapter", "the name of the adapter"),
                    .init("rssi", "the signal strength of the last advertisement, in dBm"),
                    .init("mtu", "the ATT MTU of the connection, in bytes"),
                    .init("gateway", "the gateway that owns the device, if it is shared (`share`)"),
                    .init("why", "the reason, if the device is shared: signal strengths in dBm, or where its bond is"),
                ],
                example: ConnectionStatus(
                    state: .connected, adapter: "hci0", rssi: -61, mtu: 247, gateway: "attic",
                    why: "-61 here, -79 at cellar"
                ).json(at: Example.time))
        case .info:
            document(
                "What the device offers.",
                [
                    .init("gateway", "the name of the gateway that manages the device"),
                    .init(
                        "identity", "the identity address that a bond has revealed, if the device has a private address"
                    ),
                    .init("manufacturer", "what the device reports about itself: also " + DeviceIdentity.otherNames),
                    .init(
                        "characteristics",
                        "for each configured characteristic: its `uuid` and `service`, whether it can be read, written and "
                            + "subscribed to, the `flags` that the device announced, and its fields with their units. `state` "
                            + "names the reading that is the state of a writable characteristic, if the configuration has this key"
                    ),
                    .init("advertisement", "the quantities that the device advertises, if its advertisements are read"),
                    .init("derived", "the values that the gateway calculates, if there are any (`derive`)"),
                ], example: Self.exampleInfo.json)
        }
    }

    private func document(_ meaning: String, _ members: [TopicReference.Member], example: JSON) -> TopicReference {
        TopicReference(
            ["PREFIX/DEVICE/\(name)"], isRetained ? .retained : .notRetained, meaning, members,
            example: example.description)
    }

    private static let exampleInfo = DeviceInfo(
        name: "greenhouse", gateway: "attic", address: Example.address, identity: nil,
        DeviceIdentity(["manufacturer": "Example"]),
        [
            .init(
                name: "temperature", uuid: 0x2A6E, service: 0x181A, canRead: true, canWrite: false, canSubscribe: true,
                flags: ["read", "notify"], fields: [.init(name: "temperature", unit: "°C")])
        ], advertisement: nil)
}

extension DeviceTopicGroup {
    package var reference: TopicReference {
        switch self {
        case .reading:
            document(
                .asConfigured,
                """
                A reading of a characteristic or of an advertised quantity. It is retained unless the configuration says \
                `retain: false`; events such as the press of a button are not retained. `time` is the moment when the \
                gateway received the value, in UTC. A reading with several fields has one member for each field. A value \
                that is not known is `null`. `adjusted` is true, or lists the corrected fields, if the gateway has corrected \
                the value (`adjust`). `derived` is true if the value was calculated from others (`derive`). `samples` is \
                the number of values in an average (`average`); its `time` is that of the newest one. With `payload: value` the payload is the bare value.
                """, example: Example.reading)
        case .get:
            document(
                .notRetained,
                """
                A request to read the characteristic now, with any payload. An object may contain `transaction` and `ttl`. \
                The response arrives on `PREFIX/DEVICE/\(Self.response.name(rawValue))`.
                """, example: #"{"transaction":7}"#)
        case .set:
            document(
                .notRetained,
                """
                A request to write a value: a number, text, truth value, an object of fields, `{"hex":"0a01"}` or \
                `{"base64":"CgE="}`. An object of some of the fields changes these: the others keep their last values, \
                received or accepted; with `read`, the value is read first unless this connection has one. An object may \
                also contain `transaction` and `ttl`. Of several values that wait for the device only the newest is \
                written; the others get the response `superseded`. If the format has an op code on which other fields \
                depend, this applies to values with the same op code; an object replaces only objects whose fields it \
                contains. The response arrives on `PREFIX/DEVICE/\(Self.response.name(rawValue))`.
                """, example: #"{"channel":1,"level":40}"#)
        case .request:
            document(.notRetained, "A request to the device; see [Requests to a device](#requests-to-a-device).")
        case .response:
            document(
                .notRetained, "The response to a request, unless the request names a Response Topic (MQTT 5).")
        }
    }

    private func document(
        _ retention: TopicReference.Retention, _ meaning: String, example: String? = nil
    ) -> TopicReference {
        let name =
            switch self {
            case .reading, .get, .set: "NAME"
            case .request, .response: "VERB"
            }
        return TopicReference(["PREFIX/DEVICE/\(self.name(name))"], retention, meaning, example: example)
    }
}
