import Configuration
import JSON

/// The description of one verb of a request.
///
/// | type | which question it answers |
/// |---|---|
/// | `VerbReference` | What does the documentation say about a verb and its parameters? |
/// | `GatewayCommand`, `DeviceCommand` | Which verbs are there? What does a request mean? |
/// | `ByteValue` | Which bytes does a client give in place of a value? |
/// | `Request`, `SetRequest`, `RejectedRequest` | What does the payload of a request contain? Why is it rejected? |
/// | `OptionsTarget`, `OptionsResult` | Which devices does `device/options` change? Which options do they have then? |
/// | `MisplacedRequest` | What is wrong with the topic of a request that no part of the gateway reads? |
/// | `Transaction` | Which value does the response repeat? |
/// | `Response`, `ResponseData` | Which payload answers a request? |
/// | `RequestError` | Why did a request fail? |
/// | `CharacteristicAmbiguity` | Which key decides among equal characteristics of a device? |
/// | `RosterLimit` | How many devices, and how large ones, may clients add? |
package struct VerbReference {
    package struct Parameter {
        package let name: String
        package let isRequired: Bool
        package let meaning: String

        package static func required(_ name: String, _ meaning: String) -> Parameter {
            Parameter(name: name, isRequired: true, meaning: meaning)
        }

        package static func optional(_ name: String, _ meaning: String) -> Parameter {
            Parameter(name: name, isRequired: false, meaning: meaning)
        }
    }

    package let meaning: String
    package let parameters: [Parameter]
    /// An example of the payload of a request.
    package let request: String
    /// An example of the member `data` of the response.
    package let data: String

    package init(_ meaning: String, _ parameters: Parameter..., request: String = "{}", data: String) {
        self.meaning = meaning
        self.parameters = parameters
        self.request = request
        self.data = data
    }

    fileprivate init(_ meaning: String, _ parameters: Parameter..., request: String = "{}", data: ResponseData) {
        self.meaning = meaning
        self.parameters = parameters
        self.request = request
        self.data = data.json.description
    }

    /// Whether an empty payload is a mistake.
    package var requiresParameters: Bool { parameters.contains(where: \.isRequired) }

    /// An example of the payload of a request that is not empty.
    package var sample: String { request == "{}" ? #"{"transaction": 1}"# : request }
}

extension GatewayCommand.Verb {
    package var reference: VerbReference {
        switch self {
        case .scan:
            VerbReference(
                """
                Scans for a time and returns the devices in range, the strongest signal first, up to 500. Equal requests \
                within a second share one scan; up to four scans run at a time, further ones get `busy`. `profiles` \
                names the profiles that fit a device.
                """,
                .optional("for", "the duration, up to `10m`; default `10s`"),
                request: #"{"for":"10s"}"#,
                data: """
                    {"devices":[{"address":"C0:00:00:00:00:01","kind":"random","adapter":"hci0","name":"Thermo","rssi":-61,\
                    "last_heard":"2026-11-21T05:09:00.123Z","services":["181A"],"manufacturer_data":{},"service_data":{},\
                    "advertisement":{},"profiles":["sig/thermometer"],"device":"greenhouse"}]}
                    """)
        case .inspect:
            VerbReference(
                """
                Connects to a device, configured or not, and returns its services, characteristics, descriptors and the \
                values that can be read. `profiles` names the profiles that fit the device.
                """,
                .optional("device", "the name of a configured device; either this or `address`"),
                .optional("address", "the address of a device"),
                request: #"{"address":"C0:00:00:00:00:01"}"#,
                data: """
                    {"address":"C0:00:00:00:00:01","name":"Thermo","rssi":-61,"services":[{"uuid":"181A",\
                    "name":"environmental_sensing","primary":true,"includes":[],"characteristics":[{"uuid":"2A6E",\
                    "name":"temperature","flags":["read","notify"],"descriptors":["2902"],"hex":"6608",\
                    "reading":{"value":21.5,"unit":"°C"}}]}]}
                    """)
        case .pair:
            VerbReference(
                """
                Creates a bond with a device, configured or not. If the pairing asks a question, the event `passkey_request` \
                or `confirm` is published: send a second `pair` request with the answer as `passkey`. Both requests \
                get their response when the pairing ends.
                """,
                .optional("device", "the name of a configured device; either this or `address`"),
                .optional("address", "the address of a device"),
                .optional("passkey", "the six digits that the device shows"),
                request: #"{"device":"lock","passkey":"012345"}"#,
                data: ResponseData.bond(Example.address, device: "lock", isBonded: true))
        case .unpair:
            VerbReference(
                """
                Removes the bond with a device and ends its connection. A device with `pair: true` is paired again at its \
                next connection.
                """,
                .optional("device", "the name of a configured device; either this or `address`"),
                .optional("address", "the address of a device"),
                request: #"{"device":"lock"}"#,
                data: ResponseData.bond(Example.address, device: nil, isBonded: false))
        case .add:
            VerbReference(
                """
                Adds a device, with `share` at all gateways. The other members of the request are the keys of its entry, as in \
                the configuration file. \
                Without an entry the request restores a device that was removed. The addition survives a restart; the \
                configuration file is not changed. `key_file` and `passkey_file` can only name files in the folder `keys` \
                beside the configuration file. Limits: \(RosterLimit.devices) added devices, \
                \(RosterLimit.characteristics) characteristics and \(RosterLimit.entry >> 10) KiB for each, and \
                \(RosterLimit.entries >> 10) KiB and \(RosterLimit.allCharacteristics) characteristics in all, with \
                those of profiles.
                """,
                .required("device", "the name of the device"),
                .optional("address", "the device's address, and other keys of its entry"),
                request: #"{"device":"attic/window","address":"C0:00:00:00:00:05","profile":"climate"}"#,
                data: ResponseData.device("attic/window"))
        case .remove:
            VerbReference(
                """
                Removes a device and its retained topics, with `share` at all gateways. The removal survives a restart; the \
                configuration file is not changed.
                """,
                .required("device", "the name of the device"),
                request: #"{"device":"attic/window"}"#, data: ResponseData.device("attic/window"))
        case .rename:
            VerbReference(
                """
                Renames a device, with `share` at all gateways. The new name survives a restart; the configuration file is not \
                changed.
                """,
                .required("device", "the name of the device"), .required("to", "its new name"),
                request: #"{"device":"freezer","to":"cellar/freezer"}"#,
                data: ResponseData.renamed("cellar/freezer", was: "freezer"))
        case .permit:
            VerbReference(
                """
                Makes the fleet rules with the key `permit` adopt new devices for a time, which replaces that of the rules. \
                Devices that were adopted stay.
                """,
                .optional("for", "the duration, up to `1d`; default `10m`; `0s` ends the adoption"),
                request: #"{"for":"10m"}"#, data: ResponseData.permit(until: Example.later))
        case .reload:
            VerbReference(
                "Loads the configuration file again and applies the differences. A file with mistakes changes nothing.",
                data: ResponseData.reloaded(added: ["relay"], changed: [], removed: []))
        case .options:
            VerbReference(
                """
                Changes settings of a device, or of all devices whose names match `devices`, with `share` at all gateways. They \
                replace those of its entry \
                and its profile, and survive a restart; the configuration file is not changed. `null` restores the setting of \
                the configuration. Keys of a device: \(quoted(Configuration.optionNames)). Keys of a characteristic: \
                \(quoted(Configuration.characteristicOptionNames)). The device \
                is connected again with its new settings, unless only titles, icons, the area, the manufacturer or the model \
                change. The response contains all options of the device, and `warnings` about options without effect. A \
                request with `devices` gets the list `devices`, with these members for each one. The options of a removed \
                device apply again after `device/add`, if they fit its entry. Limits: \(RosterLimit.options >> 10) KiB for a \
                device, \(RosterLimit.allOptions >> 10) KiB in all.
                """,
                .optional("device", "the name of the device; required without `devices`"),
                .optional("devices", "a list of names, in which `*` stands for any text and `?` for a character"),
                .optional("options", "the settings to change; without it nothing changes"),
                request: #"{"device":"greenhouse","options":{"connect":"every 10m","expect":null}}"#,
                data: ResponseData.options(OptionsResult(device: "greenhouse", options: ["connect": "every 10m"])))
        case .spool:
            VerbReference(
                """
                Returns the state of the messages that wait for the broker on the disk, as in `health`. With `drop`, all of \
                them are removed first.
                """,
                .optional("drop", "`true` to remove the messages"),
                data: ResponseData.spool(SpoolStatus(.idle)))
        case .backup:
            VerbReference(
                """
                Returns the configuration files and the user's profiles as text, and the files of the state directory. Passwords and keys are not \
                included: they are in files of their own. Nor are bonds, which bluetoothd keeps in /var/lib/bluetooth. One such \
                request at a time: until the broker has accepted its response, others get `busy`.
                """,
                data: """
                    {"version":"1.0.0","gateway":"attic","files":{"/etc/bluefleet/bluefleet.yaml":"gateway: attic\\n"},\
                    "state":{"devices.json":{"added":{},"adopted":[],"renamed":{},"removed":{},"identities":{},"options":{}}}}
                    """)
        case .fleet:
            VerbReference(
                """
                Returns the gateways that share devices (`share`), and the devices that this gateway owns. The gateway that \
                decides also returns `devices`: for each shared device its owner, the gateway that it moves to (`moves_to`), \
                since how many seconds, the signal strengths in dBm and the reason in words.
                """, data: ResponseData.fleet(.example))
        case .log:
            VerbReference(
                """
                Publishes the lines of the log on `PREFIX/bridge/GATEWAY/log` for a time. The log on the gateway itself \
                does not change.
                """,
                .optional("for", "the duration, up to `1h`; default `10m`; `0s` ends the publication"),
                .optional("level", "the lowest level: `debug`, `info`, `warning` or `error`; default `info`"),
                request: #"{"for":"10m","level":"debug"}"#,
                data: ResponseData.log(topic: "bluefleet/bridge/attic/log", until: Example.later))
        case .logLevel:
            VerbReference(
                "Sets the level of the log until the next reload that changes it, and returns the level in use.",
                .optional("level", "`debug`, `info`, `warning` or `error`; without it the level does not change"),
                request: #"{"level":"debug"}"#, data: ResponseData.logLevel(.debug))
        }
    }
}

extension DeviceCommand.Verb {
    private static let characteristic = VerbReference.Parameter.required(
        "characteristic", "the name of the characteristic")

    package var reference: VerbReference {
        switch self {
        case .read:
            VerbReference(
                "Reads a characteristic now. The reading is also published on the characteristic's topic.",
                Self.characteristic,
                request: #"{"characteristic":"temperature"}"#,
                data: """
                    {"characteristic":"temperature","value":21.53,"unit":"°C","time":"2026-11-21T05:09:00.123Z"}
                    """)
        case .write:
            VerbReference(
                "Writes a value. If several requests wait, each value is written, in order. With the key `split`, the response "
                    + "contains the number of bytes as `written`; if the device refuses a piece, `data` of the failed response has "
                    + "`written`, the bytes before it, and `length`, those of the whole value.",
                Self.characteristic, .required("value", "the value, as for `NAME/set`"),
                .optional("response", "whether to write with a response; default: as configured"),
                .optional("reliable", "`true` for a reliable write"),
                request: #"{"characteristic":"output","value":{"hex":"0a01"}}"#,
                data: ResponseData.written(
                    "output", hex: "0a01", isConfirmed: true, ["channel": 10, "level": 1]))
        case .subscribe:
            VerbReference(
                "Subscribes to a characteristic until the end of the connection.", Self.characteristic,
                request: #"{"characteristic":"humidity"}"#,
                data: ResponseData.subscription("humidity", isSubscribed: true))
        case .unsubscribe:
            VerbReference(
                "Cancels the subscription to a characteristic until the end of the connection.", Self.characteristic,
                request: #"{"characteristic":"humidity"}"#,
                data: ResponseData.subscription("humidity", isSubscribed: false))
        case .connect:
            VerbReference(
                "Connects the device, and ends a pause. The response contains the state of the connection.",
                data: ResponseData.connection(
                    ConnectionStatus(state: .connected, adapter: "hci0", rssi: -61, mtu: 247), at: Example.time))
        case .disconnect:
            VerbReference(
                """
                Cancels the subscriptions and disconnects the device. Commands that wait for the device get the response \
                `superseded`.
                """,
                .optional(
                    "pause", "a duration in which the device stays disconnected, so that another program can use it"),
                request: #"{"pause":"10m"}"#,
                data: ResponseData.connection(
                    ConnectionStatus(
                        state: .disconnected, reason: ConnectionStatus.onRequest, until: Example.later),
                    at: Example.time))
        case .collect:
            VerbReference(
                "Gets one value of each characteristic in `until` now. The response contains all values. If some do not arrive "
                    + "within `within`, it has the error `timeout`, and `data` with the values that arrived.",
                data: #"{"temperature":{"value":21.53,"unit":"°C","time":"2026-11-21T05:09:00.123Z"}}"#)
        case .history:
            VerbReference(
                "Publishes the records in the memory of the device since the newest known one on the late topics (`history`), also "
                    + "if they are not due. The response follows the last record, and contains the number of records.",
                .optional(
                    "characteristic", "the name of the entry with `history`; not needed if the device has only one"),
                request: #"{"characteristic":"log"}"#, data: ResponseData.history("log", records: 24))
        case .discover:
            VerbReference(
                "Returns the services, characteristics and descriptors of the device.",
                data: """
                    {"services":[{"uuid":"181A","name":"environmental_sensing","primary":true,"includes":[],\
                    "characteristics":[{"uuid":"2A6E","name":"temperature","flags":["read","notify"],\
                    "descriptors":["2902"]}]}]}
                    """)
        case .rssi:
            VerbReference(
                """
                Returns the signal strength of the device's last advertisement in dBm, and its age in milliseconds. \
                Does not connect.
                """,
                data: ResponseData.signal(rssi: -61, age: 820))
        }
    }
}

/// Returns names for the documentation: `` `a`, `b` ``.
private func quoted(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
