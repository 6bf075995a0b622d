import Bluetooth
import Codec

extension DevicePacket {
    static let others = [
        DevicePacket("a Polar strap", company: 0x006B, "3304063C", ["heart_rate": 60]),
        DevicePacket(
            "an Oras faucet", company: 0x0131, "01 64 00 41424344454647484930 00000000 00",
            ["battery": 100, "serial_number": "ABCDEFGHI0"]),
        DevicePacket(
            "an EcoFlow station", company: 0xB5B5, "00 52363031 5A454231 53463139 30303031 57 000000000000",
            ["serial_number": "R601ZEB1SF190001", "battery": 87]),
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
            "a Shelly button", company: 0x0BA9, "0109000B01000A CCBBAA6E02BC",
            ["flags": 9, "model": 1, "mac": "BC:02:6E:AA:BB:CC"]),
        DevicePacket("an Atomax Skale", company: 0x81EF, "D204 0000", ["weight": 123.4]),
        DevicePacket(
            "a Leaone scale that has settled", company: 0x19C0, "02F8 138C 0000 25 C00000000001",
            ["mac": "C0:00:00:00:00:01", "packet_id": 6437, "mass": 7.6, "impedance": 500.4]),
        DevicePacket(
            "a BM2", company: 0x004C, "0215 655F83CAAE16A10A702E31F30D58DD82 0000 0000 4B",
            ["battery": 75, "device": "BM2 Tracker"]),
        DevicePacket(
            "a BM6", company: 0x004C, "0215 3BA29CD9A42C894856BADAF2606EF777 0048 0000 C5",
            ["battery": 72, "device": "BM6 Tracker"]),
        DevicePacket(
            "a ThermoBeacon's extremes", company: 0x0011, offers: [0xFFF0],
            "0000 AE0A000023DC 9001 10000000 F0FF 20000000",
            [
                "button_pressed": false, "mac": "DC:23:00:00:0A:AE", "temperature_maximum": 25, "time_of_maximum": 16,
                "temperature_minimum": -1, "time_of_minimum": 32,
            ]),
        DevicePacket(
            "a ThermoBeacon", company: 0x0011, offers: [0xFFF0], "0000 AE0A000023DC B80B 9201 7C03 CDBB0300",
            [
                "button_pressed": false, "mac": "DC:23:00:00:0A:AE", "voltage": 3, "temperature": 25.125,
                "humidity": 55.75, "uptime": 244685, "battery": 100,
            ]),
        DevicePacket(
            "a Tempo Disc Maxi", company: 0x0133, "2B 5F 00000000000000000000000000 C4FF 8813 7E8B0100",
            ["battery": 95, "temperature": -0.6, "humidity": 50, "pressure": 1012.46]),
        DevicePacket(
            "an Inkbird probe", name: "IBS-P02B", company: 0x1234, "AABBCCDD E100 0000 55 00000000000000",
            ["temperature": 22.5, "humidity": .null, "battery": 85]),
        DevicePacket(
            "a Moat S2", name: "Moat_S2", service: 0x1000, "00000000000000000000 0066 0080 B80B",
            ["voltage": 3, "temperature": 23.163, "humidity": 56.5]),
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
        DevicePacket(
            "a SwitchBot Lock Vision Pro", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 00 00 33 00 0C 00000000", serviceHex: "00003300116909",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "status": "locked", "status_number": 0,
                "calibration": false, "auto_lock_paused": false, "door_open": false,
                "door_open_from_secondary_lock": false, "update_from_secondary_lock": false, "battery": 51,
                "manual_unlock_linkage": false, "is_secondary_lock": false, "double_lock_mode": false,
                "battery_status": 4, "power_alarm": false, "unlocked_alarm": false, "unclosed_alarm": false,
            ]),
        DevicePacket(
            "an Aranet4", company: 0x0702, "21 020501 00000000 B004 AE01 9427 37 50 01 7800 1E00 05",
            [
                "version": "1.5.2", "carbon_dioxide": 1200, "temperature": 21.5, "pressure": 1013.2, "humidity": 55,
                "battery": 80, "status": "green", "status_number": 1, "interval": 120, "age": 30, "packet_id": 5,
            ]),
        DevicePacket(
            "an Aranet2", company: 0x0702, "01 21 040401 000000 0000 F401 0000 0302 00 50 00 3C00 0200 81",
            [
                "version": "1.4.4", "temperature": 25, "humidity": 51.5, "battery": 80, "status_humidity": "off",
                "status_humidity_number": 0, "status_temperature": "off", "status_temperature_number": 0,
                "interval": 60, "age": 2, "packet_id": 129,
            ]),
        DevicePacket(
            "an Aranet2 that is too dry and too warm", company: 0x0702,
            "01 21 040401 000000 0000 F441 0000 0382 00 50 09 3C00 0200 81",
            [
                "version": "1.4.4", "temperature": .null, "humidity": .null, "battery": 80, "status_humidity": "under",
                "status_humidity_number": 1, "status_temperature": "over", "status_temperature_number": 2,
                "interval": 60, "age": 2, "packet_id": 129,
            ]),
        DevicePacket(
            "an Aranet4 that is calibrated", company: 0x0702, "21 020501 00000000 B084 AE41 94A7 37 50 00 7800 1E00 05",
            [
                "version": "1.5.2", "carbon_dioxide": .null, "temperature": .null, "pressure": .null, "humidity": 55,
                "battery": 80, "status": "none", "status_number": 0, "interval": 120, "age": 30, "packet_id": 5,
            ]),
        DevicePacket(
            "an AranetRn1 without a number yet", company: 0x0702,
            "03 21 040601 000000 011F 0000 C927 0000 00 64 01 5802 F601 08",
            [
                "version": "1.6.4", "radon": .null, "temperature": .null, "pressure": 1018.5, "humidity": .null,
                "battery": 100, "status": "green", "status_number": 1, "interval": 600, "age": 502, "packet_id": 8,
            ]),
        DevicePacket(
            "an Oral-B in its fifth sector", company: 0x00DC, "06326B0352000000050006",
            [
                "state": "running", "state_number": 3, "pressure": "normal", "pressure_number": 0, "duration": 0,
                "mode": "daily_clean", "mode_number": 0, "brushing": true, "sector_timer": 0, "number_of_sectors": 6,
                "sector": "sector_5", "sector_number": 5,
            ]),
        DevicePacket(
            "an Oral-B in its last sector", company: 0x00DC, "03326B035200000B070006",
            [
                "state": "running", "state_number": 3, "pressure": "normal", "pressure_number": 0, "duration": 0,
                "mode": "smart_adapt", "mode_number": 11, "brushing": true, "sector_timer": 0, "number_of_sectors": 6,
                "sector": "sector_6", "sector_number": 6,
            ]),
        DevicePacket(
            "an Oral-B of a new protocol that is no iO", company: 0x00DC, "06706B035200000107",
            [
                "state": "running", "state_number": 3, "pressure": "normal", "pressure_number": 0, "duration": 0,
                "mode": "daily_clean", "mode_number": 1, "brushing": true, "sector": "sector_4", "sector_number": 4,
            ]),
        DevicePacket("a Tag-It", name: "Tag-It", "", ["device": "Tag-It Tracker"]),
    ]
}
