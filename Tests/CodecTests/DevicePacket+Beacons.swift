import Bluetooth
import Codec

extension DevicePacket {
    /// Beacons and trackers.
    static let beacons = [
        DevicePacket(
            "an AltBeacon", company: 0x0118, "BEAC 00112233445566778899AABBCCDDEEFF00010002 C5 07",
            ["company": 280, "id": "00112233445566778899aabbccddeeff00010002", "tx_power": -59, "manufacturer_data": 7]),
        DevicePacket(
            "an Eddystone UID", service: 0xFEAA, "00 EE 00112233445566778899 AABBCCDDEEFF 0000",
            [
                "frame": "UID", "frame_number": 0, "tx_power": -18, "namespace": "00112233445566778899",
                "instance": "aabbccddeeff",
            ]),
        DevicePacket(
            "an Eddystone URL", service: 0xFEAA, "10 EE 03 7275757669 00",
            ["frame": "URL", "frame_number": 16, "tx_power": -18, "url": "https://ruuvi.com/"]),
        DevicePacket(
            "an Eddystone EID", service: 0xFEAA, "30 EE 0011223344556677",
            ["frame": "EID", "frame_number": 48, "tx_power": -18, "ephemeral_id": "0011223344556677"]),
        DevicePacket(
            "a Tilt", company: 0x004C, "0215 A495BB10C5B14B44B5121370F02D74DE 0044 03F8 C5",
            ["color": "red", "color_number": 16, "tx_power": -59, "temperature": 68, "specific_gravity": 1.016]),
        DevicePacket(
            "a Tilt that tells its firmware", company: 0x004C, "0215 A495BB10C5B14B44B5121370F02D74DE 03E7 03EC C5",
            ["color": "red", "color_number": 16, "tx_power": -59, "firmware_version": 1004]),
        DevicePacket(
            "a warm Tilt Pro", company: 0x004C, "0215 A495BB80C5B14B44B5121370F02D74DE 03E7 27B5 C5",
            ["color": "pink", "color_number": 128, "tx_power": -59, "temperature": 99.9, "specific_gravity": 1.0165]),
        DevicePacket(
            "a Tilt Pro", company: 0x004C, "0215 A495BB80C5B14B44B5121370F02D74DE 02A9 27B5 C5",
            ["color": "pink", "color_number": 128, "tx_power": -59, "temperature": 68.1, "specific_gravity": 1.0165]),
        DevicePacket(
            "a Gigaset G-tag", name: "Gigaset G-tag", "", ["device": "Gigaset G-Tag Tracker"]),
        DevicePacket(
            "a Mi Band's steps", service: 0xFEE0, "AC1E0000", ["steps": 7852]),
        DevicePacket(
            "a computer with Windows", company: 0x0006, "01 09 20 02 0011223344556677889900112233445566778899AABB",
            ["device": "Microsoft advertising beacon"]),
    ]
}
