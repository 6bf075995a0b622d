import Bluetooth
import Codec

extension DevicePacket {
    /// Thermometers, hygrometers and monitors of air.
    static let climate = [
        DevicePacket(
            "a Govee H5179", company: 0x8801, "EC 00 01 01 C408 231D 64",
            ["temperature": 22.44, "humidity": 74.59, "battery": 100]),
        DevicePacket(
            "a Govee H5182", company: 0x3037, offers: [0x8251], "B2010001 0164 0186 0898 1D10 00 0960 FFFF 00",
            [
                "temperature_probe_1": 22, "temperature_alarm_probe_1": 74.4, "temperature_probe_2": 24,
                "temperature_alarm_probe_2": .null,
            ]),
        DevicePacket(
            "a Govee H5184", company: 0x3037, offers: [0x8451], "B201 0001 01E4 01 86 0898 1D10 06 0960 1B58",
            [
                "temperature_probe_1": 22, "temperature_alarm_probe_1": 74.4, "temperature_probe_2": 24,
                "temperature_alarm_probe_2": 70,
            ]),
        DevicePacket(
            "an Inkbird with 1 probe", company: 0x0000, "0000 A1A2A3A4A5A6 E100",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5]),
        DevicePacket(
            "an Inkbird with 1 probe, its address in reverse", company: 0x0001, "0000 A6A5A4A3A2A1 E100",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5]),
        DevicePacket(
            "an Inkbird with 2 probes", company: 0x0000, "0000 A1A2A3A4A5A6 E100F6FF",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null]),
        DevicePacket(
            "an Inkbird with 2 probes, its address in reverse", company: 0x0001, "0000 A6A5A4A3A2A1 E100FFFF",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null]),
        DevicePacket(
            "an Inkbird with 4 probes", company: 0x0000, "0000 A1A2A3A4A5A6 E100F6FF2C0197FF",
            [
                "mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null,
                "temperature_probe_3": 30, "temperature_probe_4": -10.5,
            ]),
        DevicePacket(
            "an Inkbird with 4 probes, its address in reverse", company: 0x0001, "0000 A6A5A4A3A2A1 E100FFFF2C0197FF",
            [
                "mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null,
                "temperature_probe_3": 30, "temperature_probe_4": -10.5,
            ]),
        DevicePacket(
            "an Inkbird with 6 probes", company: 0x0000, "0000 A1A2A3A4A5A6 E100F6FF2C0197FF9A010000",
            [
                "mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null,
                "temperature_probe_3": 30, "temperature_probe_4": -10.5, "temperature_probe_5": 41,
                "temperature_probe_6": 0,
            ]),
        DevicePacket(
            "an Inkbird with 6 probes, its address in reverse", company: 0x0001,
            "0000 A6A5A4A3A2A1 E100FFFF2C0197FF9A010000",
            [
                "mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null,
                "temperature_probe_3": 30, "temperature_probe_4": -10.5, "temperature_probe_5": 41,
                "temperature_probe_6": 0,
            ]),
        DevicePacket(
            "a Tempo Disc", company: 0x0133, "0D 5F 0E10 0002 00E1 0000", ["battery": 95, "temperature": 22.5]),
        DevicePacket(
            "a Tempo Disc Maxi for temperature", company: 0x0133, "29 5F 00000000000000000000000000 CA08",
            ["battery": 95, "temperature": 22.5]),
        DevicePacket(
            "a Tempo Disc Maxi for humidity", company: 0x0133, "2A 5F 00000000000000000000000000 CA08 8813",
            ["battery": 95, "temperature": 22.5, "humidity": 50]),
        DevicePacket(
            "a RuuviTag in format C5", company: 0x0499, "C5 12FC 5394 C37C AC36 42 00CD CBB8334C884F",
            [
                "format": 197, "temperature": 24.3, "humidity": 53.49, "pressure": 1000.44, "voltage": 2.977,
                "tx_power": 4, "movement_counter": 66, "sequence": 205, "mac": "CB:B8:33:4C:88:4F",
            ]),
        DevicePacket(
            "a RuuviTag in format C5 as documented", company: 0x0499, "05 12FC 5394 C37C AC36 42 00CD CBB8334C884F",
            [
                "format": 5, "temperature": 24.3, "humidity": 53.49, "pressure": 1000.44, "voltage": 2.977,
                "tx_power": 4, "movement_counter": 66, "sequence": 205, "mac": "CB:B8:33:4C:88:4F",
            ]),
        DevicePacket(
            "a Sensirion SHT3x", company: 0x06D5, "00 04 E2E7 9966 0080",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008]),
        DevicePacket(
            "a b-parasite without light", service: 0x181A, "10 C0 0B86 58AC A666 6B85 A1A2A3A4A5A6",
            [
                "counter": 12, "voltage": 2.95, "temperature": 22.7, "mac": "A1:A2:A3:A4:A5:A6", "humidity": 65,
                "moisture": 42,
            ]),
        DevicePacket(
            "an encrypted thermometer of pvvx", service: 0x181A, key: sampleKey, "07 BD6D2EB0B1B9D8D00F7F",
            [
                "counter": 7, "temperature": 25.06, "humidity": 50.55, "battery": 93, "reed_switch": true,
                "output": true, "output_controlled": false, "temperature_trigger": false, "humidity_trigger": false,
            ]),
        DevicePacket(
            "an encrypted thermometer of atc1441", service: 0x181A, key: sampleKey, "07 D72C07CAB04B7C",
            ["counter": 7, "temperature": 22.5, "humidity": 50.5, "battery": 93, "trigger": true]),
    ]
}
