import Bluetooth
import Codec
import JSON

extension DevicePacket {
    /// Packets of meters, scales, motion sensors and other household devices.
    static let household = [
        DevicePacket(
            "a Beckett burner", company: 0x061A,
            "06CC C408 C0CD 0BDE CD2B B3DA 6582 F160 6110 6341 1B61 5029",
            [
                "product": .named("genisys_7505", number: 3), "product_number": 3, "bootloader": false,
                "device": .named("7505_7575", number: 0), "device_number": 0, "state": .named("standby", number: 1),
                "state_number": 1, "last_end": .named("call_for_heat_ended", number: 1), "last_end_number": 1,
                "cycle_count": 20319, "serial_number": 77100,
            ]),
        DevicePacket(
            "a Combustion gauge", company: 0x09C7,
            "03 47313030303030313233 7D05 01 57 C344 0000 000000",
            [
                "serial_number": "G100000123", "sensor_present": true, "sensor_overheating": false,
                "low_battery": false,
                "battery": 87, "temperature": 120.5, "high_alarm_set": true, "high_alarm_tripped": true,
                "high_alarm_sounding": false, "high_alarm_temperature": 200, "low_alarm_set": false,
                "low_alarm_tripped": false, "low_alarm_sounding": false, "low_alarm_temperature": -20,
            ]),
        DevicePacket(
            "a Combustion display that repeats the third probe", company: 0x09C7,
            "02 78563412 4086CAA0193E0369480D528370 40 92 00 00",
            [
                "probe_3_core_temperature": 61, "probe_3_surface_temperature": 64, "probe_3_ambient_temperature": 150,
                "probe_3_low_battery": false,
            ]),
        DevicePacket(
            "a Safiery Star-Tank", company: 0x0067,
            "0A 64 B2 2C01 000001 FE 05",
            [
                "battery_voltage": 3.125, "temperature": 10, "button_pressed": true, "distance": 300,
                "mac_end": .bytes([0, 0, 1]), "acceleration_x": -0.001953125, "acceleration_y": 0.0048828125,
            ]),
        DevicePacket(
            "an EnOcean switch", company: 0x03DA, key: sampleKey,
            "5D040000 11 A12B77D4",
            ["button": .named("b1_press", number: 17), "button_number": 17]),
        DevicePacket(
            "an EnOcean sensor", company: 0x03DA, key: sampleKey,
            "FB270000 0268 458D01 2002 41401F 44F401 7A3B006C",
            [
                "energy_level": 52, "illuminance": 397, "occupancy": true, "voltage": 4,
                "solar_cell_illuminance": 500,
            ]),
        DevicePacket(
            "a Blue Puck T", company: 0x0757,
            "12 3906",
            ["temperature": 15.93]),
        DevicePacket(
            "a Blue Puck RHT", company: 0x0757,
            "21 2E 00 3906",
            ["humidity": 46, "temperature": 15.93]),
        DevicePacket(
            "a MokoSmart beacon that sends its voltage", service: 0xFEAB,
            "40 00 0A 0C1C 00",
            ["voltage": 3.1]),
        DevicePacket(
            "a HolyIOT thermometer", service: 0x5242,
            "41 64 C00000000001 0000 01 15 19",
            ["battery": 100, "mac": "C0:00:00:00:00:01", "device": "HolyIoT Beacon Tracker", "temperature": 21.25]),
        DevicePacket(
            "a HolyIOT barometer", service: 0x5242,
            "41 64 C00000000001 0000 02 0855",
            ["battery": 100, "mac": "C0:00:00:00:00:01", "device": "HolyIoT Beacon Tracker", "pressure": 1013.3]),
        DevicePacket(
            "a HolyIOT hygrometer", service: 0x5242,
            "41 64 C00000000001 0000 03 2D 00",
            ["battery": 100, "mac": "C0:00:00:00:00:01", "device": "HolyIoT Beacon Tracker", "humidity": 45]),
        DevicePacket(
            "a HolyIOT sensor that is moved", service: 0x5242,
            "41 64 C00000000001 0000 04 01 00",
            ["battery": 100, "mac": "C0:00:00:00:00:01", "device": "HolyIoT Beacon Tracker", "vibration": true]),
        DevicePacket(
            "a HolyIOT cube", service: 0x5242,
            "41 64 C00000000001 0000 05 03 00",
            ["battery": 100, "mac": "C0:00:00:00:00:01", "device": "HolyIoT Beacon Tracker", "side": 3]),
        DevicePacket(
            "a HolyIOT button", service: 0x5242,
            "41 64 C00000000001 0000 06 01 00",
            [
                "battery": 100, "mac": "C0:00:00:00:00:01", "device": "HolyIoT Beacon Tracker", "button": "press",
                "button_number": 1,
            ]),
        DevicePacket(
            "a Mopeka sensor in a deep tank", company: 0x0059, offers: [0xFEE5],
            "88 72 46 0040 000001 F0 D8",
            [
                "battery_voltage": 3.5625, "button_pressed": false, "reading_quality_raw": 1, "temperature": 30,
                "battery": 100, "tank_level": 5722, "reading_quality": 33, "mac_end": "000001", "accelerometer_x": 240,
                "accelerometer_y": 216,
            ]),
        DevicePacket(
            "an Amphiro shower meter", company: 0xFAEE, "0000A3 0078 000000 001900 26 0010 00",
            ["session": 163, "duration": 120, "temperature": 38, "energy": 0.16, "volume": 2.5]),
        DevicePacket(
            "an April Brother N03", service: 0x5242, "AB03 A1A2A3A4A5A6 64 B4006500F401",
            ["mac": "A1:A2:A3:A4:A5:A6", "battery": 100, "temperature": 22.5, "humidity": 50.5, "illuminance": 500]),
        DevicePacket(
            "a BeeWi door", company: 0x000D, "080C 01 00 5A", ["open": true, "battery": 90]),
        DevicePacket(
            "an ELA tag's battery", company: 0x0757, "F1 5A", ["battery": 90]),
        DevicePacket(
            "an ELA tag's humidity", service: 0x2A6F, "37", ["humidity": 55]),
        DevicePacket(
            "an ELA tag with an input", name: "P DI 000001", service: 0x2A06, "0700", ["on": true, "count": 3]),
        DevicePacket(
            "an ELA tag that is moved", name: "C MOV 000001", service: 0x2A06, "0600", ["moving": false, "count": 3]),
        DevicePacket(
            "a battery level", service: 0x180F, "5A", ["battery": 90]),
        DevicePacket(
            "a humidity of two bytes", service: 0x2A6F, "8813", ["humidity": 50]),
        DevicePacket(
            "the first port of two of a Kegtron", company: 0xFFFF,
            "E632 3A98 02E2 41 31737420506F7274000000000000000000000000",
            [
                "keg_size_port_1": 58.93, "volume_start_port_1": 15, "volume_dispensed_port_1": 0.738,
                "port_state_port_1": "configured", "port_state_port_1_number": 1, "port_count": "dual_port_device",
                "port_count_number": 1, "keg_type_port_1": "Other", "port_name_port_1": "1st Port",
            ]),
        DevicePacket(
            "a MikroTik tag", company: 0x094F, "01 00 0000 0001 00FF 8000 8016 10270000 09 5A",
            [
                "acceleration_x": 1, "acceleration_y": -1, "acceleration_z": 0.5, "temperature": 22.5, "uptime": 10000,
                "reed_switch": true, "tilt": false, "free_fall": false, "impact_x": true, "impact_y": false,
                "impact_z": false, "battery": 90,
            ]),
        DevicePacket(
            "an iNode that counts electricity as it came", company: 0x8290, "DD00 61B80000 0000 6B 0080",
            iNode("kWh", average: 132.6, sum: 472.01)),
        DevicePacket(
            "an iNode that counts water as it came", company: 0x8290, "DD00 61B80000 0040 6B 0080",
            iNode("m³", average: 13.26, sum: 47.201)),
        DevicePacket(
            "an iNode that counts", company: 0x8290, "DD00 61B80000 0080 6B 0080",
            iNode("impulses", average: 13260, sum: 47201)),
        DevicePacket(
            "a Mopeka sensor in water", company: 0x0059, offers: [0xFEE5], "05 60 3D E8C3 E0F509 F0 D8",
            [
                "battery_voltage": 3, "button_pressed": false, "reading_quality_raw": 3, "temperature": 21,
                "battery": 100, "tank_level": 740, "reading_quality": 100, "mac_end": "e0f509", "accelerometer_x": 240,
                "accelerometer_y": 216,
            ]),
        DevicePacket(
            "a Mopeka Pro-200B, whose medium is not known", company: 0x0059, offers: [0xFEE5],
            "12 60 3D E8C3 E0F509 F0 D8",
            [
                "battery_voltage": 3, "button_pressed": false, "reading_quality_raw": 3, "temperature": 21,
                "battery": 100, "tank_level": .null, "reading_quality": 100, "mac_end": "e0f509",
                "accelerometer_x": 240, "accelerometer_y": 216,
            ]),
        DevicePacket(
            "a Lippert tank sensor", company: 0x0059, offers: [0xFEE5], "06 60 3D E8C3 E0F509 F0 D8",
            [
                "battery_voltage": 3, "button_pressed": false, "reading_quality_raw": 3, "temperature": 21,
                "battery": 100, "tank_level": 380, "reading_quality": 100, "mac_end": "e0f509", "accelerometer_x": 240,
                "accelerometer_y": 216,
            ]),
        DevicePacket(
            "Otodata's identity", company: 0x03B1, "4F544F54414E4B 39300000 00000000000000 05000000",
            ["serial": 12345, "model_type": 5]),
        DevicePacket(
            "a Xiaomi plant sensor", service: 0xFD50, "2A 00E1 0030D4 5A 0257",
            ["moisture": 42, "temperature": 22.5, "illuminance": 12500, "battery": 90, "conductivity": 599]),
        DevicePacket(
            "a BroodMinder thermometer", company: 0x028D, "29 15 02 00 5A 2100 D062 00 00000000 00 00000000 0000",
            [
                "model": 41, "firmware_version": "2.21", "battery": 90, "elapsed": 33, "temperature": 23.69,
                "humidity": .null,
            ]),
        DevicePacket(
            "a BroodMinder scale", company: 0x028D, "2B 15 02 00 02 2100 D062 00 FF7F 0580 37 07304300 0000",
            [
                "model": 43, "firmware_version": "2.21", "battery": 2, "elapsed": 33, "temperature": 23.69,
                "weight_left": 0, "weight_right": 0.06, "humidity": 55,
            ]),
        DevicePacket(
            "a BroodMinder that knows swarms", company: 0x028D, "2F 01 03 5C 64 0100 521C 1C 00000000 00 00000000 0000",
            [
                "model": 47, "firmware_version": "3.1", "battery": 100, "elapsed": 1, "temperature": 22.5,
                "realtime_temperature": 22.6, "humidity": .null,
            ]),
        DevicePacket(
            "a BroodMinder with four scales", company: 0x028D,
            "39 01 03 5C 64 0100 521C 1C 6383 8F81 32 8F81 FF7F F184",
            [
                "model": 57, "firmware_version": "3.1", "battery": 100, "elapsed": 1, "temperature": 22.5,
                "realtime_temperature": 22.6, "weight_right": 8.68, "weight_left": 4, "humidity": 50,
                "weight_right_2": 4, "weight_left_2": 0, "weight": 12.66,
            ]),
        DevicePacket(
            "a Leaone scale in pounds", company: 0xDFC0, "06A4 0000 0002 30 C00000000001",
            ["mac": "C0:00:00:00:00:01", "packet_id": 57136, "non_stabilized_mass": 77.11]),
        DevicePacket(
            "a Leaone scale that measures", company: 0x19C0, "02F8 138C 0000 20 C00000000001",
            ["mac": "C0:00:00:00:00:01", "packet_id": 6432, "non_stabilized_mass": 76]),
        DevicePacket(
            "a Leaone scale that has settled in tenths", company: 0x19C0, "02F8 138C 0000 21 C00000000001",
            ["mac": "C0:00:00:00:00:01", "packet_id": 6433, "mass": 76, "impedance": 500.4]),
        DevicePacket(
            "a Leaone scale that measures in hundredths", company: 0x19C0, "1DB0 138C 0000 24 C00000000001",
            ["mac": "C0:00:00:00:00:01", "packet_id": 6436, "non_stabilized_mass": 76]),
        DevicePacket(
            "tire 2", company: 0x0100, "81EACAA1A2A3 F46503007C0C000033 00",
            [
                "mac": "81:EA:CA:A1:A2:A3", "pressure": 2.22708, "temperature": 31.96, "battery": 51, "alarm": false,
                "count": 2,
            ]),
        DevicePacket(
            "tire 4", company: 0x0100, "83EACAA1A2A3 F46503007C0C000033 00",
            [
                "mac": "83:EA:CA:A1:A2:A3", "pressure": 2.22708, "temperature": 31.96, "battery": 51, "alarm": false,
                "count": 4,
            ]),
        DevicePacket(
            "an Oras faucet", company: 0x0131, "01 64 00 41424344454647484930 00000000 00",
            ["battery": 100, "serial_number": "ABCDEFGHI0"]),
        DevicePacket(
            "an EcoFlow station", company: 0xB5B5, "00 52363031 5A454231 53463139 30303031 57 000000000000",
            ["serial_number": "R601ZEB1SF190001", "battery": 87]),
        DevicePacket(
            "a Shelly button", company: 0x0BA9, "0109000B01000A CCBBAA6E02BC",
            ["flags": 9, "model": 1, "mac": "BC:02:6E:AA:BB:CC"]),
        DevicePacket("an Atomax Skale", company: 0x81EF, "D204 0000", ["weight": 123.4]),
        DevicePacket(
            "a Leaone scale that has settled", company: 0x19C0, "02F8 138C 0000 25 C00000000001",
            ["mac": "C0:00:00:00:00:01", "packet_id": 6437, "mass": 7.6, "impedance": 500.4]),
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
    ]

    private static func iNode(_ unit: String, average: Decimal, sum: Decimal) -> Value {
        .record(
            Record([
                ("low_battery", false), ("unit", .string(unit)), ("light_level", 11), ("average", .number(average)),
                ("sum", .number(sum)), ("battery", 50),
            ]))
    }
}
