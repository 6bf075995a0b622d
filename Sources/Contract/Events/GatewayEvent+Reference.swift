import Bluetooth
import System

extension GatewayEvent.Kind {
    /// The documentation of the event.
    package var meaning: String {
        switch self {
        case .bluetooth: "Bluetooth became available or unavailable."
        case .repair: "The gateway repairs an adapter that does not work as it should."
        case .hostFailed:
            """
            Something that the gateway needs of its machine fails: the state folder cannot be written, or the process has no \
            file descriptors left. The gateway tries again each minute.
            """
        case .hostRecovered: "The gateway can use the resource of a `host_failed` again."
        case .deviceConnected: "A device is connected, and its characteristics are found."
        case .deviceDisconnected: "The connection of a device has ended. `until` is present during a requested pause."
        case .connectFailed: "A connection attempt has failed. Only the first of consecutive failures is published."
        case .servicesChanged: "The services of a connected device have changed. The gateway has discovered them again."
        case .characteristicMissing: "A device does not have a configured characteristic."
        case .subscribeFailed:
            """
            The third attempt to subscribe to a characteristic has failed. The gateway connects to the device again; the \
            device is `stale` until the subscription succeeds.
            """
        case .decodeFailed:
            """
            Bytes do not fit their format, so no reading was published. `characteristic` is `advertisement` for the data of \
            an advertisement. After five events about a characteristic, at most one is published per minute; `count` is \
            then the number of such values since the last event.
            """
        case .counterRestarted:
            """
            A device has started to count its encrypted packets anew: after a change of its batteries, or because another sender \
            replays old packets. It is accepted once in 24 hours.
            """
        case .advertisementRefused: "The advertisements of a device cannot be decoded; `reason` gives the cause."
        case .paired: "A bond was created. A device that is not configured is given by its `address`."
        case .unpaired: "A bond was removed at a client's request."
        case .pairingFailed: "No bond could be created."
        case .passkeyRequest:
            """
            The pairing needs the passkey that the device shows. Send a second `pair` request with it. A device that is not \
            configured is given by its `address`.
            """
        case .confirm:
            """
            The pairing must be confirmed. Send a second `pair` request with `number` as its `passkey` if the device shows \
            the same number. A device that is not configured is given by its `address`.
            """
        case .passkeyDisplay:
            "A person must enter the passkey on the device. A device that is not configured is given by its `address`."
        case .identified: "The bond has revealed the identity address of a device with a private address."
        case .bondLost: "The gateway or the device has lost the bond."
        case .bondRequired: "A characteristic can be used only with a bond."
        case .replayStarted:
            "The gateway begins to send the `waiting` messages that waited on the disk; `oldest` is the oldest time."
        case .replayFinished: "All messages that waited on the disk are sent; `dropped` ones were damaged."
        case .spoolFailed:
            "Messages that wait for the broker cannot be stored, or their file was damaged; `reason` gives the cause."
        case .spoolDropping:
            "The oldest `count` messages on the disk made room for newer ones. Published once in an hour at most."
        case .clockChanged:
            """
            The clock of the machine was set, by `seconds`. The times of messages that wait for the broker are corrected, and \
            the readings and connections that the broker retains are published again with corrected times; intervals do not \
            depend on the clock.
            """
        case .deviceAdopted: "A fleet rule has adopted a device."
        case .adoptionLimit:
            """
            The maximum number of adopted devices is reached. A new device then replaces one that has sent no value since the \
            gateway started, or is not adopted.
            """
        case .deviceConflict:
            "A device that was added, adopted or renamed at run time conflicts with the configuration."
        }
    }

    /// An event of this kind, for the documentation.
    package var example: GatewayEvent {
        let address = Address("C0:00:00:00:00:01") ?? Address(0)
        switch self {
        case .bluetooth: return .bluetooth(.poweredOff, reason: "hci0 is switched off")
        case .repair: return .repair(.restartScan, adapter: "hci0", reason: "the scan reports nothing", device: nil)
        case .replayStarted:
            return .replayStarted(waiting: 8640, oldest: Timestamp(milliseconds: 1_795_151_340_123))
        case .replayFinished: return .replayFinished(sent: 8640, dropped: 0)
        case .spoolFailed: return .spoolFailed(reason: "database or disk is full")
        case .spoolDropping: return .spoolDropping(count: 256)
        case .clockChanged: return .clockChanged(by: .seconds(86_400))
        case .hostFailed:
            return .hostFailed(
                .stateFolder, reason: "cannot write /var/lib/bluefleet/devices.json: No space left on device")
        case .hostRecovered: return .hostRecovered(.stateFolder)
        case .deviceConnected: return .deviceConnected(device: "greenhouse")
        case .deviceDisconnected:
            return .deviceDisconnected(device: "greenhouse", reason: "the connection was lost", until: nil)
        case .connectFailed: return .connectFailed(device: "greenhouse", reason: "no answer from the device")
        case .servicesChanged: return .servicesChanged(device: "greenhouse")
        case .characteristicMissing:
            return .characteristicMissing(device: "greenhouse", characteristic: "humidity", uuid: 0x2A6F)
        case .subscribeFailed:
            return .subscribeFailed(
                device: "greenhouse", characteristic: "temperature", reason: "bluetoothd reports no subscription")
        case .decodeFailed:
            return .decodeFailed(
                device: "greenhouse", characteristic: "temperature", hex: "66",
                reason: "2 bytes were expected, found 1",
                count: 120)
        case .counterRestarted: return .counterRestarted(device: "porch")
        case .advertisementRefused:
            return .advertisementRefused(device: "porch", reason: "the advertisement is encrypted: set key_file")
        case .paired: return .paired(.device("lock"))
        case .unpaired: return .unpaired(address)
        case .pairingFailed: return .pairingFailed(device: "lock", reason: "the device rejected the passkey")
        case .passkeyRequest: return .passkeyRequest(.device("lock"))
        case .confirm: return .confirm(.device("lock"), number: Self.passkey)
        case .passkeyDisplay: return .passkeyDisplay(.device("lock"), passkey: Self.passkey)
        case .identified: return .identified(device: "phone", identity: address)
        case .bondLost: return .bondLost(device: "lock", reason: "the device has no bond", isRenewed: true)
        case .bondRequired:
            return .bondRequired(device: "lock", characteristic: "bolt", remedy: "set pair: true")
        case .deviceAdopted: return .deviceAdopted(device: "sensors/C0:00:00:00:00:01", address: address)
        case .adoptionLimit: return .adoptionLimit(reason: "1000 devices are adopted")
        case .deviceConflict:
            return .deviceConflict(
                device: "sensors/C0:00:00:00:00:01", reason: "the adopted device is ignored: the name is in use")
        }
    }

    private static var passkey: Passkey {
        guard let passkey = Passkey(12345) else { preconditionFailure("012345 has six digits") }
        return passkey
    }

    /// The documentation of the members of events, by their names.
    package static let members: [String: String] = [
        "type": "the kind of event",
        "time": "the time of the event, in UTC",
        "device": "the name of the device",
        "address": "the address of the device",
        "adapter": "the name of the adapter",
        "state": "`poweredOn`, `poweredOff`, `resetting`, `unsupported`, `unauthorized` or `unknown`",
        "reason": "the reason in words",
        "resource": "`state_folder` or `file_descriptors`",
        "repair": "`restart_scan`, `remove_device` (with the `address` of the device) or `power_cycle`",
        "characteristic": "the name of the characteristic in the configuration",
        "uuid": "the UUID of the characteristic",
        "count": "the number of such values or messages since the last event",
        "waiting": "the number of messages that waited",
        "oldest": "the time of the oldest message; `null` if it is not known",
        "sent": "the number of late messages that the broker has accepted",
        "dropped": "the number of messages that were damaged",
        "seconds": "the step of the clock; negative if it was set back",
        "hex": "the bytes, in hexadecimal digits",
        "until": "the end of the pause",
        "number": "six digits",
        "passkey": "six digits",
        "identity": "the identity address",
        "renewed": "whether the gateway pairs again automatically",
        "remedy": "what to do",
    ]
}
