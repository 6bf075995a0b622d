extension Configuration.DeviceSettings {
    /// The advice about keys that a device does not have, by key.
    static let advice = [
        "mac": "write address: C0:00:00:00:00:01", "mac_address": "write address: C0:00:00:00:00:01",
        "name": "the key above is the name", "friendly_name": "write title: NAME",
        "interval": "write connect: every 10m", "scan_interval": "write connect: every 10m",
        "update_interval": "write connect: every 10m",
        "poll": "write connect: every 10m", "period": "write connect: every 10m", "every": "write connect: every 10m",
        "timeout": "did you mean 'within'?", "passive": "write connect: never",
        "key": "write the key into a file, and the path of the file into key_file",
        "bindkey": "write the key into a file, and the path of the file into key_file",
        "bind_key": "write the key into a file, and the path of the file into key_file",
        "encryption_key": "write the key into a file, and the path of the file into key_file",
        "passkey": "write the passkey into a file, and the path of the file into passkey_file",
        "pin":
            "write it into a file, and the path of the file into passkey_file for pairing, or into pin_file for questions",
        "bond": "write pair: true", "pairing": "write pair: true", "room": "did you mean 'area'?",
        "location": "did you mean 'area'?", "subscribe": "it belongs into a characteristic",
        "read": "it belongs into a characteristic",
        "write": "it belongs into a characteristic",
        "format": "it belongs into a characteristic or advertisement; for a built-in format, write advertisement: true",
        "uuid": "it belongs into a characteristic", "service": "it belongs into a characteristic",
        "services": "write the characteristics; each one may have a service",
        "sensors": "did you mean 'characteristics'?",
    ]
}
