import Bluetooth
import Codec

extension DevicePacket {
    /// Packets of thermometers, hygrometers and air monitors.
    static let climate = [
        DevicePacket(
            "an Atmotube PRO", name: "ATMOTUBE", company: 0xFFFF,
            "0035 323F 16 15 00016992 41 63",
            [
                "tvoc": 53, "device_id": 12863, "humidity": 22, "temperature": 21,
                "pressure": 925.62, "particle_sensor_on": true, "error": false, "bonded": false,
                "battery_charging": false, "pre_heating": true, "battery": 99,
            ]),
        DevicePacket(
            "the scan response of an Atmotube PRO", name: "ATMOTUBE", company: 0xFFFF,
            "0002 0003 0004 74051E",
            ["pm1": 2, "pm25": 3, "pm10": 4]),
        DevicePacket(
            "a Pebble", company: 0x0133,
            "01 D600 D700 D800 2D F503 0000000000000000",
            ["temperature": 21.5, "humidity": 45, "pressure": 1013]),
        DevicePacket(
            "a Jaalee sensor with service data", service: 0xF525,
            "64 0100000000C0 6666 8000",
            ["battery": 100, "mac": "C0:00:00:00:00:01", "temperature": 25, "humidity": 50.0008]),
        DevicePacket(
            "a Jaalee sensor with the other service data", service: 0xF51C,
            "64 0100000000C0 6666 8000",
            ["battery": 100, "mac": "C0:00:00:00:00:01", "temperature": 25, "humidity": 50.0008]),
        DevicePacket(
            "a Moat S2 with manufacturer data", company: 0x1000,
            "00000000000000000000 8064 A77A 380B 0000",
            ["voltage": 2.872, "temperature": 22.134, "humidity": 53.889]),
        DevicePacket(
            "a ClearGrass sensor", service: 0xFFF9,
            "0801 0100000000C0 0104 D200 4402 0201 64",
            ["mac": "C0:00:00:00:00:01", "temperature": 21, "humidity": 58, "battery": 100]),
        DevicePacket(
            "a Qingping packet whose last object is cut", service: 0xFDCD,
            "0801 0100000000C0 0104 D200 4402 0702 94",
            ["mac": "C0:00:00:00:00:01", "temperature": 21, "humidity": 58]),
        DevicePacket(
            "a RuuviTag of early firmware", service: 0xFEAA,
            "10 F9 03 7275752E76692F23 416A77594D464D63",
            ["format": 2, "humidity": 30, "temperature": 24.48, "pressure": 712.76]),
        DevicePacket(
            "a RuuviTag with the format 4", service: 0xFEAA,
            "10 F9 03 7275752E76692F23 424877594D464D63 56",
            ["format": 4, "humidity": 62, "temperature": 24.48, "pressure": 712.76]),
        DevicePacket(
            "a RuuviTag with zeros after the format 3", company: 0x0499,
            "03 29 1A1E CE1E FC18 F942 02CA 0B53 00000000",
            [
                "format": 3, "humidity": 20.5, "temperature": 26.3, "pressure": 1027.66, "acceleration_x": -1,
                "acceleration_y": -1.726, "acceleration_z": 0.714, "voltage": 2.899, "acceleration_total": 2.119,
            ]),
        DevicePacket(
            "a Sensirion gadget with hydrogen", company: 0x06D5,
            "00 28 A1B2 AB66 0080 9001 F503",
            ["device_id": "a1b2", "temperature": 25.1843, "humidity": 50.0008, "hydrogen": 4, "pressure": 1013]),
        DevicePacket(
            "a barbecue thermometer with two probes and another first byte", name: "xBBQ-2A", company: 0x0002,
            "0000 C00000000001 D200 FFFF",
            ["temperature_probe_1": 21, "temperature_probe_2": .null]),
        DevicePacket(
            "a barbecue thermometer with one probe and another first byte", name: "xBBQ-1", company: 0x0002,
            "0000 C00000000001 D200",
            ["temperature_probe_1": 21]),
        DevicePacket(
            "a barbecue thermometer with four probes and another first byte", name: "xBBQ-4", company: 0x0002,
            "0000 C00000000001 D200 FFFF D300 D400",
            [
                "temperature_probe_1": 21, "temperature_probe_2": .null, "temperature_probe_3": 21.1,
                "temperature_probe_4": 21.2,
            ]),
        DevicePacket(
            "a barbecue thermometer with six probes and another first byte", name: "xBBQ-6", company: 0x0002,
            "0000 C00000000001 D200 FFFF D300 D400 D500 D600",
            [
                "temperature_probe_1": 21, "temperature_probe_2": .null, "temperature_probe_3": 21.1,
                "temperature_probe_4": 21.2, "temperature_probe_5": 21.3, "temperature_probe_6": 21.4,
            ]),
        DevicePacket(
            "a ThermoPro whose first byte is 82", name: "TP357 (2142)", company: 0xCF82,
            "00 2D 02 01",
            ["humidity": 45, "temperature": 20.7, "battery": 100]),
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
            "an Inkbird with 1 probe", name: "iBBQ", company: 0x0000, "0000 A1A2A3A4A5A6 E100",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5]),
        DevicePacket(
            "an Inkbird with 1 probe, its address in reverse", name: "xBBQ", company: 0x0001, "0000 A6A5A4A3A2A1 E100",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5]),
        DevicePacket(
            "an Inkbird without a name", company: 0x0000, "0000 C00000000001 E100",
            ["mac": "C0:00:00:00:00:01", "temperature_probe_1": 22.5]),
        DevicePacket(
            "an Inkbird without a name, its address in reverse", company: 0x0001, "0000 0100000000C0 E100",
            ["mac": "C0:00:00:00:00:01", "temperature_probe_1": 22.5]),
        DevicePacket(
            "an Inkbird IBS-P01B", name: "tps", company: 0x08CA, "FFFF 00 0000 55 06",
            ["temperature": 22.5, "humidity": .null, "ext_probe": false, "battery": 85]),
        DevicePacket(
            "an Inkbird with 2 probes", name: "iBBQ", company: 0x0000, "0000 A1A2A3A4A5A6 E100F6FF",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null]),
        DevicePacket(
            "an Inkbird with 2 probes, its address in reverse", name: "xBBQ", company: 0x0001,
            "0000 A6A5A4A3A2A1 E100FFFF",
            ["mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null]),
        DevicePacket(
            "an Inkbird with 4 probes", name: "iBBQ", company: 0x0000, "0000 A1A2A3A4A5A6 E100F6FF2C0197FF",
            [
                "mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null,
                "temperature_probe_3": 30, "temperature_probe_4": -10.5,
            ]),
        DevicePacket(
            "an Inkbird with 4 probes, its address in reverse", name: "xBBQ", company: 0x0001,
            "0000 A6A5A4A3A2A1 E100FFFF2C0197FF",
            [
                "mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null,
                "temperature_probe_3": 30, "temperature_probe_4": -10.5,
            ]),
        DevicePacket(
            "an Inkbird with 6 probes", name: "iBBQ", company: 0x0000, "0000 A1A2A3A4A5A6 E100F6FF2C0197FF9A010000",
            [
                "mac": "A1:A2:A3:A4:A5:A6", "temperature_probe_1": 22.5, "temperature_probe_2": .null,
                "temperature_probe_3": 30, "temperature_probe_4": -10.5, "temperature_probe_5": 41,
                "temperature_probe_6": 0,
            ]),
        DevicePacket(
            "an Inkbird with 6 probes, its address in reverse", name: "xBBQ", company: 0x0001,
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
            "a b-parasite without light", service: 0x181A, "10 0C 0B86 58AC A666 6B85 A1A2A3A4A5A6",
            [
                "counter": 12, "voltage": 2.95, "temperature": 22.7, "mac": "A1:A2:A3:A4:A5:A6", "humidity": 65,
                "moisture": 42,
            ]),
        DevicePacket(
            "a later b-parasite", service: 0x181A, "20 0C 0B86 08DE A666 6B85 A1A2A3A4A5A6 0000",
            [
                "counter": 12, "voltage": 2.95, "temperature": 22.7, "mac": "A1:A2:A3:A4:A5:A6", "humidity": 65,
                "moisture": 42,
            ]),
        DevicePacket(
            "a later b-parasite in the light", service: 0x181A, "21 0C 0B86 08DE A666 6B85 A1A2A3A4A5A6 30D4",
            [
                "counter": 12, "voltage": 2.95, "temperature": 22.7, "mac": "A1:A2:A3:A4:A5:A6", "humidity": 65,
                "moisture": 42, "illuminance": 12500,
            ]),
        DevicePacket(
            "a SensorPush TC.x in a packet of four bytes", company: 0xE808, offers: [tcx], "0D00",
            ["temperature": 22.5]),
        DevicePacket(
            "an encrypted thermometer of pvvx", service: 0x181A, key: sampleKey, "07 BD6D2EB0B1B9D8D00F7F",
            [
                "counter": 7, "temperature": 25.06, "humidity": 50.55, "battery": 93, "reed_switch": true,
                "output": true, "output_controlled": false, "temperature_trigger": false, "humidity_trigger": false,
            ]),
        DevicePacket(
            "an encrypted thermometer of atc1441", service: 0x181A, key: sampleKey, "07 D72C07CAB04B7C",
            ["counter": 7, "temperature": 22.5, "humidity": 50.5, "battery": 93, "trigger": true]),
        DevicePacket(
            "a Govee H5191", company: 0xAC63, offers: [0x9151], "83010001014C5D040FA01324FFFF0AF0FFFFFFFF",
            [
                "temperature_probe_1": 40, "temperature_alarm_probe_1": 49, "low_temperature_alarm_probe_1": .null,
                "ambient_temperature": 28,
            ]),
        DevicePacket(
            "a Govee H5185 without its service", name: "Govee_H5185_4C17", company: 0x4C32,
            "17 01 00 01 01 D7 01 66 0960 2474 FFFF 0B54 FFFF FFFF",
            [
                "temperature_probe_1": 24, "temperature_alarm_probe_1": 93.32, "low_temperature_alarm_probe_1": .null,
                "temperature_probe_2": 29, "temperature_alarm_probe_2": .null, "low_temperature_alarm_probe_2": .null,
            ]),
        DevicePacket(
            "the third and fourth probe of a Govee H5198", company: 0x3022, offers: [0x9851],
            "6C 01 00 01 01 A3 C2 0F 0BB8 FFFF FFFF 0960 2474 FFFF",
            [
                "temperature_probe_3": 30, "temperature_alarm_probe_3": .null, "low_temperature_alarm_probe_3": .null,
                "temperature_probe_4": 24, "temperature_alarm_probe_4": 93.32, "low_temperature_alarm_probe_4": .null,
            ]),
        DevicePacket(
            "the third and fourth probe of a Govee H5184", company: 0x3037, offers: [0x8451],
            "B2 01 00 01 01 E4 82 86 0898 1D10 06 0960 1B58",
            [
                "temperature_probe_3": 22, "temperature_alarm_probe_3": 74.4, "temperature_probe_4": 24,
                "temperature_alarm_probe_4": 70,
            ]),
        DevicePacket(
            "a Govee H5183", company: 0xE02F, offers: [0x8351], "CB 01 00 01 01 E4 01 8F 0834 2474 0000",
            ["temperature_probe_1": 21, "temperature_alarm_probe_1": 93.32]),
        DevicePacket(
            "a Govee H5179 of 2025", name: "Govee_H5179_1234", company: 0x0001, "0101 0309 EE 64",
            ["battery": 100, "temperature": 19.9, "humidity": 15]),
        DevicePacket(
            "a Govee H5108", name: "GV51085242", company: 0x0001, "0101 03C730 64 0000",
            ["battery": 100, "temperature": 24.7, "humidity": 60]),
        DevicePacket(
            "a sample of type 3 of Sensirion", company: 0x06D5, "00 03 E2E7 9966 0080 C800",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "voc_index": 200]),
        DevicePacket(
            "a sample of type 12 of Sensirion", company: 0x06D5, "00 0C E2E7 9966 0080 8403 0A00",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "carbon_dioxide": 900, "pm25": 0.1526]),
        DevicePacket(
            "a sample of type 14 of Sensirion", company: 0x06D5, "00 0E E2E7 9966 0080 0500",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "formaldehyde": 1]),
        DevicePacket(
            "a sample of type 16 of Sensirion", company: 0x06D5, "00 10 E2E7 9966 0080 C800 0A00",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "voc_index": 200, "pm25": 0.1526]),
        DevicePacket(
            "a sample of type 20 of Sensirion", company: 0x06D5, "00 14 E2E7 9966 0080 8403 C800 0A00 0500",
            [
                "device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "carbon_dioxide": 900,
                "voc_index": 200, "pm25": 0.1526, "formaldehyde": 1,
            ]),
        DevicePacket(
            "a sample of type 22 of Sensirion", company: 0x06D5, "00 16 E2E7 9966 0080 C800 0100",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "voc_index": 200, "nox_index": 1]),
        DevicePacket(
            "a sample of type 24 of Sensirion", company: 0x06D5, "00 18 E2E7 9966 0080 C800 0100 0A00",
            [
                "device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "voc_index": 200, "nox_index": 1,
                "pm25": 1,
            ]),
        DevicePacket(
            "a sample of type 26 of Sensirion", company: 0x06D5, "00 1A E2E7 9966 0080 8403 C800 0100 0A00",
            [
                "device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "carbon_dioxide": 900,
                "voc_index": 200, "nox_index": 1, "pm25": 1,
            ]),
        DevicePacket(
            "a sample of type 28 of Sensirion", company: 0x06D5, "00 1C E2E7 9966 0080 8403 0A00",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "carbon_dioxide": 900, "pm25": 1]),
        DevicePacket(
            "a sample of type 30 of Sensirion", company: 0x06D5, "00 1E E2E7 9966 0080 C800 0A00",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "voc_index": 200, "pm25": 1]),
        DevicePacket(
            "a sample of type 31 of Sensirion", company: 0x06D5, "00 1F E2E7 9966 0080 8403 C800 0A00 0500",
            [
                "device_id": "e2e7", "temperature": 25.1362, "humidity": 50.0008, "carbon_dioxide": 900,
                "voc_index": 200, "pm25": 1, "formaldehyde": 1,
            ]),
        DevicePacket(
            "a sample of type 6 of Sensirion", company: 0x06D5, "00 06 E2E7 9966 0080",
            ["device_id": "e2e7", "temperature": 25.1362, "humidity": 56.501]),
        DevicePacket(
            "a sample of particles of Sensirion", company: 0x06D5, "00 22 E2E7 0A00 1400 1E00 2800",
            ["device_id": "e2e7", "pm1": 1, "pm25": 2, "pm4": 3, "pm10": 4]),
        DevicePacket(
            "a sample of carbon dioxide of Sensirion", company: 0x06D5, "00 24 E2E7 8403",
            ["device_id": "e2e7", "carbon_dioxide": 900]),
        DevicePacket(
            "a sample of moving air of Sensirion", company: 0x06D5, "00 26 E2E7 4001 9966",
            ["device_id": "e2e7", "speed": 5.0001, "temperature": 25.1362]),
        DevicePacket(
            "BTHome 1 with an address", service: 0x181C, "23025D09 86A5808FE64854 02015D",
            ["temperature": 23.97, "battery": 93]),
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
    ]

    private static let tcx = UUID(0xEF09_0000_11D6_42BA_93B8_9DD7_EC09_0AB0 as UInt128)
}
