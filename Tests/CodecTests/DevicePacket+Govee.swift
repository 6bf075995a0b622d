import Bluetooth
import Codec

extension DevicePacket {
    /// Packets of Govee's sensors, which differ in their lengths.
    static let govee = [
        DevicePacket(
            "a newer H5055 with the third and the fourth probe", company: 0x5C0A, offers: [0x5550],
            "7741 000101E4 4C00 0960 FFFFFFFF 0DAC FFFFFFFF",
            ["temperature_probe_3": 24, "temperature_probe_4": 35]),
        DevicePacket(
            "a newer H5055 with the fifth probe, known by its name", name: "GVH5055_1234", company: 0x5C0A,
            "7741 000101E4 9000 0960 FFFFFFFF FFFF FFFFFFFF",
            ["temperature_probe_5": 24, "temperature_probe_6": .null]),
        DevicePacket(
            "an H5185 with an iBeacon at its end", company: 0x4932, offers: [0x8551],
            "0A 01000101E4 C166 0960 FFFF FFFF 0B54 FFFF FFFF 4C000215 494E54454C4C495F524F434B53 0000",
            [
                "temperature_probe_1": 24, "temperature_alarm_probe_1": .null, "low_temperature_alarm_probe_1": .null,
                "temperature_probe_2": 29, "temperature_alarm_probe_2": .null, "low_temperature_alarm_probe_2": .null,
            ]),
        DevicePacket(
            "a Govee H5121 that sees motion", company: 0xEF88, "00005994000038D717C42DA4A2D668007C0E326F98AF77A3",
            ["battery": 100, "motion": "motion", "motion_number": 1]),
        DevicePacket(
            "a Govee H5121 that sees none", company: 0xEF88, "00005994000092D9C3891D15832A7CA265CECA13CDB4DCAA",
            ["battery": 100]),
        DevicePacket(
            "a Govee H5122", company: 0xEF88, "000059940000B386D00084F410AC9D207B3B048167084EA2",
            ["battery": 100, "button_0": "press", "button_0_number": 1]),
        DevicePacket(
            "a Govee H5123 at an open window", company: 0xEF88, "00005994000075DC58245E1061DBDE342A9E549D36C4C3E2",
            ["battery": 100, "window": true]),
        DevicePacket(
            "a Govee H5123 at a closed window", company: 0xEF88, "000059940000579E45602611A57CD945F1FD83560ECBBA3E",
            ["battery": 100, "window": false]),
        DevicePacket(
            "a Govee H5124 that shakes", company: 0xEF88, "000059940000177E678B3E154B21AC872B81B6B1A74179F9",
            ["battery": 100, "vibration": "vibration", "vibration_number": 1]),
        DevicePacket(
            "a Govee H5124 that rests", company: 0xEF88, "000059940000C7F7192271646F896390961235133C67D93C",
            ["battery": 100]),
        DevicePacket(
            "a Govee H5126", company: 0xEF88, "000059940000D1A75F17E98143A29FC4DFFA565B4E7116D4",
            ["battery": 100, "button_1": "press", "button_1_number": 1]),
        DevicePacket(
            "a Govee H5130 under a person who presses its button", company: 0xEF88,
            "0000599400006FD3CC1E7671427D6F576C80A85DF40EF4FD",
            ["battery": 100, "button_0": "press", "button_0_number": 1, "presence": true]),
        DevicePacket(
            "a Govee H5130 under a person", company: 0xEF88, "0000599400009D1AEA31DFD73E98CBD83F7A99C0C531208A",
            ["battery": 100, "presence": true]),
        DevicePacket(
            "a Govee H5130 without a person", company: 0xEF88, "0000599400009D75707443DFFB827FD9FF10A276F2846786",
            ["battery": 100, "presence": false]),
        DevicePacket(
            "a Govee H5130 that is pressed", company: 0xEF88, "0000599400004D7218DF794FD7DA7A9CFDCC485AD0A89B10",
            ["battery": 100, "button_0": "press", "button_0_number": 1]),
        DevicePacket(
            "a Govee H5130 with more bits", company: 0xEF88, "0000599400002A2BC219663E42323085CB33A51BC2149FB1",
            ["battery": 100, "presence": true]),
        DevicePacket(
            "a Govee H5112 without its first probe", name: "GV5112AC3D", company: 0x0001, "0101 03215B E4 00 41",
            ["battery": 100, "temperature_probe_1": .null, "humidity_probe_1": .null]),
        DevicePacket(
            "a Govee H5071 with its beacon", company: 0xEC88, "00210AB61218C80001 \(beacon)",
            ["temperature": 25.93, "humidity": 47.9, "battery": 24]),
        DevicePacket(
            "a Govee H5074 with its beacon", company: 0xEC88, "00C408231D6402 \(beacon)",
            ["temperature": 22.44, "humidity": 74.59, "battery": 100]),
        DevicePacket(
            "a Govee H5179 with its beacon", company: 0x8801, "EC000101C408231D64 \(beacon)",
            ["temperature": 22.44, "humidity": 74.59, "battery": 100]),
        DevicePacket(
            "a Govee H5178 without a name", company: 0x0001, offers: [0xEC88], "0101 00 03215B 64 0000",
            ["sensor": "primary", "sensor_number": 0, "battery": 100, "temperature": 20.5, "humidity": 14.7]),
        DevicePacket(
            "a Govee H5178 with another name and its beacon", name: "Govee_H5178", company: 0x0001,
            "0101 01 03215B 64 0000 \(beacon)",
            ["sensor": "remote", "sensor_number": 1, "battery": 100, "temperature": 20.5, "humidity": 14.7]),
        DevicePacket(
            "a Govee H5127", company: 0x8803, "EC0001010111", ["occupancy": true, "motion": true]),
        DevicePacket(
            "a Govee H5127 near a person at rest", company: 0x8803, "EC0001010100",
            ["occupancy": true, "motion": false]),
        DevicePacket(
            "a Govee H5127 of 2025", company: 0x8843, "EC0002010111", ["occupancy": true, "motion": true]),
        DevicePacket(
            "a Govee H5055 with frost in it", company: 0x04CF, offers: [0x5550],
            "5B00 E4 03 20 FBFF FFFF 1E00 20 1F00 FFFF FFFF 0000",
            [
                "battery": 100, "temperature_probe_1": -5, "low_temperature_alarm_probe_1": .null,
                "temperature_alarm_probe_1": 30, "temperature_probe_2": 31, "low_temperature_alarm_probe_2": .null,
                "temperature_alarm_probe_2": .null,
            ]),
        DevicePacket(
            "a Govee H5075 in an oven", company: 0xEC88, "00 0F4628 64 00",
            ["battery": 100, "temperature": .null, "humidity": .null]),
        DevicePacket(
            "a Govee H5075 on the moon", company: 0xEC88, "00 861E68 64 00",
            ["battery": 100, "temperature": .null, "humidity": .null]),
        DevicePacket(
            "a Govee H5075 in boiling water", company: 0xEC88, "00 0F4240 64 00",
            ["battery": 100, "temperature": 100, "humidity": 0]),
    ]

    private static let beacon = "4C000215494E54454C4C495F524F434B535F48575075F2FF0C"
}
