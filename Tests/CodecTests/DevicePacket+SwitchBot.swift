import Bluetooth
import Codec

extension DevicePacket {
    /// Packets of SwitchBot's devices.
    static let switchBot = [
        DevicePacket(
            "an evaporative humidifier with an old filter", company: 0x0969, service: 0xFD3D,
            "A0A3B32C9CE6 48 86 80 7F FF F2 1130 008734", serviceHex: "230000",
            [
                "mac": "A0:A3:B3:2C:9C:E6", "seq_number": 72, "mode": "sleep", "mode_number": 6, "is_on": true,
                "filter_missing": false, "tilted_alert": false, "tank_removed": false, "child_lock": false,
                "over_humidify_protection": true, "is_meter_binded": false, "water_level": "medium",
                "water_level_number": 2, "humidity": .null, "temperature": .null, "filter_run_time": 304,
                "filter_alert": true, "target_humidity": 52,
            ]),
        DevicePacket(
            "an art frame", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 15 37 03 08", serviceHex: "00000000113E10",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 21, "battery": 55, "battery_charging": false,
                "image_index": 3, "last_network_status": false, "display_mode": true, "display_size": 0,
            ]),
        DevicePacket(
            "a ceiling light", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 32 0FA0 80", serviceHex: "710000",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "brightness": 50, "color_temperature": 4000,
                "is_on": true,
            ]),
        DevicePacket(
            "a garage door opener", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 80", serviceHex: "3E0000",
            ["mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "is_on": true, "door_open": true]),
        DevicePacket(
            "a hub 3", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 0000000000 45 02 97 35 80",
            serviceHex: "0000000010B940",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "network_state": 1, "sensor_inserted": true,
                "humidity": 53, "temperature": 23.2, "temperature_alarm": false, "humidity_alarm": false,
                "motion_detected": true, "light_level": 5, "illuminance": 317,
            ]),
        DevicePacket(
            "a hub mini with Matter", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 00000000000000 05 97 35",
            serviceHex: "250000",
            ["mac": "B0:E9:FE:E6:1A:71", "fahrenheit": false, "humidity": 53, "temperature": 23.5]),
        DevicePacket(
            "a humidifier", service: 0xFD3D, "65 80 00 00 32 00 00 00", ["is_on": true, "level": 50]),
        DevicePacket(
            "a keypad", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 02", serviceHex: "790064",
            ["battery": 100, "mac": "B0:E9:FE:E6:1A:71", "attempt_state": 2]),
        DevicePacket(
            "a light strip", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 B2 23", serviceHex: "720000",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "brightness": 50, "is_on": true, "color_mode": 3,
                "network_state": 2, "delay": false,
            ]),
        DevicePacket(
            "a floor lamp", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 B2 23 00000000000000 0FA0",
            serviceHex: "0000000010D0B0",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "brightness": 50, "is_on": true, "color_mode": 3,
                "network_state": 2, "delay": false, "color_temperature": 4000,
            ]),
        DevicePacket(
            "a strip with white", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 B2 23 00 0FA0",
            serviceHex: "0000000010D0B3",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "brightness": 50, "is_on": true, "color_mode": 3,
                "network_state": 2, "delay": false, "color_temperature": 4000,
            ]),
        DevicePacket(
            "a lock", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 11 97 08 20", serviceHex: "6F8064",
            [
                "battery": 100, "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 17, "door_open": true,
                "update_from_secondary_lock": false, "status": "unlocked", "status_number": 1, "calibration": true,
                "unlocked_alarm": false, "unclosed_alarm": false, "auto_lock_paused": false, "double_lock_mode": false,
                "night_latch": false,
            ]),
        DevicePacket(
            "a lock pro with Wi-Fi", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 0E 02 00 3D 00 08",
            serviceHex: "0000000010FF90",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 14, "status": "locked", "status_number": 0,
                "calibration": false, "auto_lock_paused": false, "door_open": false,
                "door_open_from_secondary_lock": false, "update_from_secondary_lock": false, "battery": 61,
                "manual_unlock_linkage": false, "is_secondary_lock": false, "double_lock_mode": false,
                "right_battery_compartment_alarm": false, "left_battery_compartment_alarm": false,
                "low_temperature_alarm": false, "unlocked_alarm": false, "unclosed_alarm": false,
            ]),
        DevicePacket(
            "a lock ultra", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 88 10 33 00 4C",
            serviceHex: "0000000010A5B8",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "status": "unlocked", "status_number": 1,
                "calibration": true, "auto_lock_paused": false, "door_open": true,
                "door_open_from_secondary_lock": false, "update_from_secondary_lock": false, "battery": 51,
                "manual_unlock_linkage": false, "is_secondary_lock": false, "double_lock_mode": false,
                "battery_status": 4, "power_alarm": false, "unlocked_alarm": true, "unclosed_alarm": false,
            ]),
        DevicePacket(
            "a meter pro", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 06 64 08 97 2C 00 05", serviceHex: "340064",
            ["mac": "B0:E9:FE:E6:1A:71", "fahrenheit": false, "humidity": 44, "temperature": 23.8, "battery": 100]),
        DevicePacket(
            "a meter without a measurement", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 06 64 00 80 00",
            serviceHex: "540064",
            [
                "mac": "B0:E9:FE:E6:1A:71", "fahrenheit": false, "humidity": .null, "temperature": .null,
                "battery": .null,
            ]),
        DevicePacket(
            "a weather station", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 06 64 08 97 2C 0000000000",
            serviceHex: "000064001053B0",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 6, "fahrenheit": false, "humidity": 44,
                "temperature": 23.8, "battery": 100,
            ]),
        DevicePacket(
            "a weather station without a measurement", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 01 00 00 80 00 0000000000", serviceHex: "000000001053B0",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 1, "fahrenheit": false, "humidity": .null,
                "temperature": .null, "battery": .null,
            ]),
        DevicePacket(
            "a standing fan", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 7E CC 52 39",
            serviceHex: "00000000110760",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 126, "oscillating_vertical": false,
                "oscillating_horizontal": false, "night_light": 3, "mode": "baby", "mode_number": 4, "is_on": true,
                "oscillating": false, "battery": 82, "speed": 57,
            ]),
        DevicePacket(
            "a plug mini", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 80 00 32 00C8", serviceHex: "670000",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "is_on": true, "wifi_rssi": -50, "power": 20,
                "overload": false,
            ]),
        DevicePacket(
            "a presence sensor", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 CC 0078 01 85",
            serviceHex: "0000640010CCC8",
            [
                "battery": 100, "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "battery_range": ">=60%",
                "battery_range_number": 3, "motion_detected": true, "adaptive_state": true, "duration": 120,
                "trigger_flag": 1, "light_level": 5, "led_state": true,
            ]),
        DevicePacket(
            "a relay", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 80 00 00", serviceHex: "3B0000",
            ["mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "is_on": true]),
        DevicePacket(
            "a relay with two channels", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 C0 0000 0014 0028",
            serviceHex: "3D0000",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "is_on_2": true, "is_on_1": true, "power_1": 20,
                "power_2": 40,
            ]),
        DevicePacket(
            "a relay that measures", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 04 80 00 00 0014",
            serviceHex: "3C0000", ["mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "is_on": true, "power": 20]),
        DevicePacket(
            "a remote", service: 0xFD3D, "62 00 64", ["battery": 100]),
        DevicePacket(
            "a bot that encrypts", service: 0xFD3D, "C8 90 E1", ["switch_mode": true, "battery": 97, "is_on": true]),
        DevicePacket(
            "a small vacuum cleaner", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 02 20 64", serviceHex: "280000",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 2, "work_status": false, "network_connected": true,
                "dustbin_connected": false, "dustbin_bound": false, "battery": 100,
            ]),
        DevicePacket(
            "a vacuum cleaner", company: 0x0969, service: 0xFD3D, "B0E9FEE61A71 0B 01 01B103 11 38 01",
            serviceHex: "330000",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 11, "soc_version": "1.0.945", "step": 1,
                "mqtt_connected": true, "battery": 56, "work_status": 1,
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
    ]
}
