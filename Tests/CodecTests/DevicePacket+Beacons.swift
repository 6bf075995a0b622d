import Bluetooth
import Codec

extension DevicePacket {
    /// Packets of beacons and trackers.
    static let beacons = [
        DevicePacket(
            "an Amazfit scale with a final measurement", service: 0xFEE0,
            "0000000000 1815 5C3A 01 0000 48 00000000000000",
            ["mass_non_stabilized": 74.7, "stabilized": true, "mass": 74.7, "impedance": 540, "heart_rate": 72]),
        DevicePacket(
            "an Amazfit scale before its final measurement", service: 0xFEE0,
            "0000000000 0000 5C3A 00 0000 00 00000000000000",
            ["mass_non_stabilized": 74.7, "stabilized": false]),
        DevicePacket(
            "a XOSS X2", company: 0xFF04,
            "00 DF 00 48",
            ["battery": 95, "heart_rate": 72]),
        DevicePacket(
            "a G-tag without a name", company: 0x0180,
            "00",
            ["device": "Gigaset G-Tag Tracker"]),
        DevicePacket(
            "a KKM K6", service: 0xFEAA,
            "21 01 07 0C1C 1580 2D00 0010 FFF0 03E8",
            [
                "voltage": 3.1, "temperature": 21.5, "humidity": 45, "acceleration_x": 0.016, "acceleration_y": -0.016,
                "acceleration_z": 1,
            ]),
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
            "a Tilt that sends its firmware version", company: 0x004C,
            "0215 A495BB10C5B14B44B5121370F02D74DE 03E7 03EC C5",
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
        DevicePacket("a Polar strap", company: 0x006B, "3304063C", ["heart_rate": 60]),
        DevicePacket(
            "a FeasyBeacon", service: 0xFFF0, "1E 000000 DC0D30010203 5A",
            [
                "model": "BP101", "model_number": 0x1E, "mac": "DC:0D:30:01:02:03", "plugged_in": false, "battery": 90,
            ]),
        DevicePacket(
            "a FeasyBeacon on its charger", service: 0xFFF0, "1E 000000 DC0D30010203 65",
            [
                "model": "BP101", "model_number": 0x1E, "mac": "DC:0D:30:01:02:03", "plugged_in": true,
                "battery": .null,
            ]),
        DevicePacket(
            "a HolyIoT beacon", service: 0x5242, "41 5D A1A2A3A4A5A6 0000000000",
            ["battery": 93, "mac": "A1:A2:A3:A4:A5:A6", "device": "HolyIoT Beacon Tracker"]),
        DevicePacket(
            "a BM2", company: 0x004C, "0215 655F83CAAE16A10A702E31F30D58DD82 0000 0000 4B",
            ["battery": 75, "device": "BM2 Tracker"]),
        DevicePacket(
            "a BM6", company: 0x004C, "0215 3BA29CD9A42C894856BADAF2606EF777 0048 0000 C5",
            ["battery": 72, "device": "BM6 Tracker"]),
        DevicePacket(
            "an exposure notification", service: 0xFD6F, "000102030405060708090A0B0C0D0E0F 10111213",
            ["rpi": "000102030405060708090a0b0c0d0e0f", "aem": "10111213"]),
        DevicePacket(
            "AirPods", company: 0x004C, "071901 0E20 2B 59 8F 11 00 0000000000000000000000000000000000",
            [
                "model": "airpods_pro_1", "model_number": 0x0E20, "battery_case": .null, "charging_case": false,
                "color": "white", "color_number": 0, "battery_left": 90, "battery_right": 50, "charging_left": false,
                "charging_right": false,
            ]),
        DevicePacket("a Tag-It", name: "Tag-It", "", ["device": "Tag-It Tracker"]),
    ]
}
