import Bluetooth
import Codec

extension DevicePacket {
    /// Packets of SwitchBot's devices.
    static let switchBot = [
        DevicePacket(
            "a candle warmer lamp", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 97 BC", serviceHex: "00000000 1122B8",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "brightness": 23, "is_on": true, "network_state": 3,
                "delay": true,
            ]),
        DevicePacket(
            "a ceiling light with colors", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 B2 23 00 0FA0 00 E4", serviceHex: "00000000 11BB10",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "brightness": 50, "is_on": true, "color_mode": 3,
                "network_state": 2, "delay": false, "color_temperature": 4000, "main_brightness": 100,
                "main_is_on": true,
            ]),
        DevicePacket(
            "a permanent outdoor light", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 B2 23 00 0FA0", serviceHex: "00000000 10D0B7",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "brightness": 50, "is_on": true, "color_mode": 3,
                "network_state": 2, "delay": false, "color_temperature": 4000,
            ]),
        DevicePacket(
            "a circulator fan pro", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 44 BE 9E 32", serviceHex: "00000000 11B340",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 68, "battery": 62, "charging": true,
                "oscillating_vertical": false, "oscillating_horizontal": true, "night_light_is_on": true,
                "mode": "normal", "mode_number": 1, "is_on": true, "oscillating": true, "night_light_level": 2,
                "speed": 50,
            ]),
        DevicePacket(
            "a circulator fan pro without its night light", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 44 3E C9 32", serviceHex: "00000000 11B340",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 68, "battery": 62, "charging": false,
                "oscillating_vertical": true, "oscillating_horizontal": false, "night_light_is_on": false,
                "mode": "hurricane", "mode_number": 4, "is_on": true, "oscillating": true, "night_light_level": 0,
                "speed": 50,
            ]),
        DevicePacket(
            "a contact sensor whose manufacturer data is newer", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 01 F0 00000000 03", serviceHex: "6480640000000000F0",
            [
                "tested": true, "battery": 100, "out_count": 3, "in_count": 3, "mac": "B0:E9:FE:E6:1A:71",
                "sequence_number": 1, "contact_timeout": true, "is_light": true, "motion_detected": true,
                "contact": "timeout_not_closed", "contact_number": 2, "contact_open": true, "button_count": 3,
            ]),
        DevicePacket(
            "a contact sensor with short service data", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 01 10 00000000 03", serviceHex: "640064",
            [
                "tested": false, "battery": 100, "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 1,
                "contact_timeout": false, "is_light": false, "motion_detected": false, "contact": "open",
                "contact_number": 1, "contact_open": true, "button_count": 3,
            ]),
        DevicePacket(
            "a motion sensor whose manufacturer data is newer", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 01 60", serviceHex: "730064 000000",
            [
                "tested": false, "battery": 100, "light_intensity": 0, "sense_distance": 0, "iot": false, "led": false,
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 1, "is_light": true, "motion_detected": true,
            ]),
        DevicePacket(
            "a motion sensor with short service data", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 01 40", serviceHex: "730064",
            [
                "tested": false, "battery": 100, "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 1, "is_light": false,
                "motion_detected": true,
            ]),
        DevicePacket(
            "a curtain 3 with its battery in the manufacturer data", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 9B 0F 32 F1 04 00 55", serviceHex: "7BC05A 002204",
            [
                "calibration": true, "mac": "B0:E9:FE:E6:1A:71", "in_motion": false, "position": 50, "device_chain": 1,
                "light_level": 15, "battery": 85,
            ]),
        DevicePacket(
            "a curtain of early firmware", service: 0xFD3D,
            "63C05A 3291",
            [
                "calibration": true, "battery": 90, "in_motion": false, "position": 50, "device_chain": 1,
                "light_level": 9,
            ]),
        DevicePacket(
            "a keypad vision", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 E4 03 000000 0A 02", serviceHex: "00000000 110378",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "battery": 100, "battery_charging": true,
                "lockout_alarm": true, "tamper_alarm": true, "duress_alarm": false, "high_temperature": false,
                "low_temperature": false, "doorbell_seq": 2, "doorbell": true, "pir_triggered_level": 2,
            ]),
        DevicePacket(
            "a lock ultra max", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 80 10 64 00 00", serviceHex: "00000000 119FB8",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "status": "locked", "status_number": 0,
                "calibration": true, "auto_lock_paused": false, "door_open": true,
                "door_open_from_secondary_lock": false, "update_from_secondary_lock": false, "battery": 100,
                "manual_unlock_linkage": false, "is_secondary_lock": false, "double_lock_mode": false,
                "battery_status": 0, "power_alarm": false, "unlocked_alarm": false, "unclosed_alarm": false,
            ]),
        DevicePacket(
            "a lock vision", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 90 80 01", serviceHex: "000064 00 116908",
            [
                "battery": 100, "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "update_from_secondary_lock": false,
                "status": "unlocked", "status_number": 1, "calibration": true, "unlocked_alarm": false,
                "double_lock_mode": true, "night_latch": true,
            ]),
        DevicePacket(
            "a meter without its manufacturer data", service: 0xFD3D,
            "770064",
            ["battery": 100]),
        DevicePacket(
            "a meter pro without its manufacturer data", service: 0xFD3D,
            "340064",
            ["battery": 100]),
        DevicePacket(
            "a CO₂ meter without its manufacturer data", service: 0xFD3D,
            "350064",
            ["battery": 100]),
        DevicePacket(
            "an outdoor meter known by its name", name: "WoIOSensorTH", company: 0x0969,
            "C76B0406155E FF 02 03 98 1F 00",
            ["mac": "C7:6B:04:06:15:5E", "fahrenheit": false, "humidity": 31, "temperature": 24.3]),
        DevicePacket(
            "a European plug mini", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 80 0000 0123", serviceHex: "3F00",
            ["mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "is_on": true, "power": 291]),
        DevicePacket(
            "a universal remote", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 01 E4", serviceHex: "270000",
            ["mac": "B0:E9:FE:E6:1A:71", "sequence_number": 1, "battery": 100, "charging": true]),
        DevicePacket(
            "a vacuum cleaner with two bytes of service data", company: 0x0969, service: 0xFD3D,
            "B0E9FEE61A71 04 F0 64", serviceHex: "7D00",
            [
                "mac": "B0:E9:FE:E6:1A:71", "sequence_number": 4, "work_status": true, "network_connected": true,
                "dustbin_connected": true, "dustbin_bound": true, "battery": 100,
            ]),
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
                "oscillating": false, "battery": 82, "charging": false, "speed": 57,
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
