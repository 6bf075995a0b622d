import Bluetooth
import Codec

extension DevicePacket {
    /// Packets of sensors of many makers, from the tests of the projects that the tables name.
    ///
    /// The packets of Eufy, iNode, Combustion, Mopeka, Garnet's 709-BT and some of Minew are constructed from the layouts.
    static let sensors = [
        DevicePacket(
            "an iNode Care Sensor 1", company: 0x9190, "00100000D08F15000000000000000000000000000000",
            [
                "acceleration_z": -16, "acceleration_y": -2, "acceleration_x": 3, "motion": true, "temperature": 21,
                "battery": 100,
            ]),
        DevicePacket(
            "an iNode Care Sensor 2", company: 0x9290, "00100000D08FE81F0000000000000000000000000000",
            [
                "acceleration_z": -16, "acceleration_y": -2, "acceleration_x": 3, "motion": true, "temperature": -1.5,
                "battery": 100,
            ]),
        DevicePacket(
            "an iNode Care Sensor 3", company: 0x9390, "00100000D08FE418AC1C000000000000000000000000",
            [
                "acceleration_z": -16, "acceleration_y": -2, "acceleration_x": 3, "motion": true, "temperature": 21.49,
                "humidity": 50.0, "battery": 100,
            ]),
        DevicePacket(
            "an iNode Care Sensor 4", company: 0x9490, "00100000D08FFB1F0000000000000000000000000000",
            [
                "acceleration_z": -16, "acceleration_y": -2, "acceleration_x": 3, "motion": true, "temperature": -5,
                "battery": 100,
            ]),
        DevicePacket(
            "an iNode Care Sensor 5", company: 0x9590, "00100000D08F16000000000000000000000000000000",
            [
                "acceleration_z": -16, "acceleration_y": -2, "acceleration_x": 3, "motion": true, "temperature": 22,
                "battery": 100,
            ]),
        DevicePacket(
            "an iNode Care Sensor 6", company: 0x9690, "00100000D08F17000000000000000000000000000000",
            [
                "acceleration_z": -16, "acceleration_y": -2, "acceleration_x": 3, "motion": true, "temperature": 23,
                "battery": 100,
            ]),
        DevicePacket(
            "an iNode Care Sensor T", company: 0x9A90, "00100000000054010000000000000000000000000000",
            ["temperature": 21.25, "battery": 100]),
        DevicePacket(
            "an iNode Care Sensor HT", company: 0x9B90, "001000000000E418AC1C000000000000000000000000",
            ["temperature": 21.49, "humidity": 50.0, "battery": 100]),
        DevicePacket(
            "an iNode Care Sensor PT", company: 0x9C90, "00100000543F30000000000000000000000000000000",
            ["pressure": 1013.25, "temperature": 42.6, "battery": 100]),
        DevicePacket(
            "an iNode Care Sensor PHT", company: 0x9D90, "00100000543FE418AC1C000000000000000000000000",
            ["pressure": 1013.25, "temperature": 21.49, "humidity": 50.0, "battery": 100]),
        DevicePacket(
            "a Eufy scale C1", name: "eufy T9146", company: 0xFFFF, "00000000 CF 8813 4C1D 00000000 00 00 000000",
            ["impedance": 500, "weight": 75, "stabilized": true]),
        DevicePacket(
            "a Eufy scale P2 Pro", name: "eufy T9149", company: 0xFFFF,
            "000000000000 CF 48 C0 4C1D 00000000 01 000000", ["heart_rate": 72, "weight": 75, "stabilized": false]),
        DevicePacket(
            "a Laica scale", name: "AAA002", company: 0xA0AC, "A02BBE5E91A0 A02C9214 0D BF",
            ["mac": "A0:91:5E:BE:2B:A0", "weight": 13]),
        DevicePacket(
            "the impedance of a Laica scale", name: "AAA002", company: 0xA0AC, "A02BBE5E91A0 A154A0A0 06 BF",
            ["mac": "A0:91:5E:BE:2B:A0", "impedance": 500]),
        DevicePacket(
            "a Senssun scale", name: "IF_B7", company: 0x0100, "020311 187A93C1B333 02 1A45 00B4 A1 AB61",
            ["mac": "18:7A:93:C1:B3:33", "impedance": 180, "weight": 67.25, "stabilized": true]),
        DevicePacket(
            "an OKOK scale", name: "ADV", company: 0x20CA, "0B41AF2F8101 05 1B 14BE 1770 B9 ED6737A1A873",
            ["impedance": 600, "weight": 53.1, "stabilized": true, "mac": "ED:67:37:A1:A8:73"]),
        DevicePacket(
            "a Mopeka Standard Check", company: 0x000D, offers: [0xADA0],
            "0002B824094CDAD5071F7CF0C1071F7CF0C10700000000",
            ["battery_voltage": 2.9375, "temperature": 19.5, "battery": 100, "tank_level": 282]),
        DevicePacket(
            "a Garnet SeeLevel Soul", company: 0x0CC0, "890400 32 19 00 6E 6E 6E 6E 50 86",
            [
                "serial_number": 1161, "tank_1": 50, "tank_2": 25, "tank_3": 0, "tank_4": .null, "tank_5": .null,
                "tank_6": .null, "tank_7": .null, "tank_8": 80, "battery_voltage": 13.4,
            ]),
        DevicePacket(
            "the fresh water of a Garnet SeeLevel", company: 0x0131, "69958D 00 303536 303030 303030 30",
            ["coach_id": 9278825, "fresh_water": 56, "alarm": 0]),
        DevicePacket(
            "the battery of a Garnet SeeLevel", company: 0x0131, "69958D 0D 313238 303030 303030 30",
            ["coach_id": 9278825, "battery_voltage": 12.8, "alarm": 0]),
        DevicePacket(
            "a sensor of a Garnet SeeLevel that is missing", company: 0x0131, "69958D 03 4F504E 303030 303030 30",
            ["coach_id": 9278825, "lpg": .null, "alarm": 0]),
        DevicePacket(
            "a Gobius C", company: 0x0F53, "01 3D 5901 DDEEFF 010101 00 000000",
            ["temperature": 21, "distance": 345, "firmware_version": "1.1.1"]),
        DevicePacket(
            "a Gobius C without an echo", company: 0x0F53, "01 23 FFFF DDEEFF 010101 00 000000",
            ["temperature": -5, "distance": .null, "firmware_version": "1.1.1"]),
        DevicePacket(
            "a Combustion probe", company: 0x09C7, "0178563412340369700DB841383007EB001E40D40000",
            [
                "serial_number": 305419896, "mode": "normal", "mode_number": 0, "probe_id": 2, "low_battery": false,
                "temperature_1": 21, "temperature_2": 22, "temperature_3": 23, "temperature_4": 24, "temperature_5": 25,
                "temperature_6": 26, "temperature_7": 27, "temperature_8": 28, "core_temperature": 23,
                "surface_temperature": 25, "ambient_temperature": 28,
            ]),
        DevicePacket(
            "a Chef iQ probe", name: "CQ60", company: 0x05CD, "015024012B0135012E012B0130012401315A",
            [
                "ambient_temperature": 29.2, "food_temperature": 29.9, "probe_tip_1_temperature": 30.9,
                "probe_tip_2_temperature": 30.2, "probe_tip_3_temperature": 29.9, "probe_tip_4_temperature": 30.4,
            ]),
        DevicePacket(
            "the battery of a Chef iQ probe", name: "CQ60", company: 0x05CD, "0350 000000000000 5A 19", ["battery": 90]),
        DevicePacket(
            "a Chef iQ probe of version 2", name: "CQ60", company: 0x05CD, "0120551EFA00580290019A01A401FA00",
            [
                "battery": 85, "ambient_temperature": 25, "food_temperature": 60, "probe_tip_1_temperature": 40,
                "probe_tip_2_temperature": 41, "probe_tip_3_temperature": 42,
            ]),
        DevicePacket(
            "a Chef iQ probe of version 4", company: 0x05CD, "01406313C000C900C900CA00CB00C0008D11",
            [
                "battery": 99, "ambient_temperature": 19.2, "food_temperature": 20.1, "probe_tip_1_temperature": 20.1,
                "probe_tip_2_temperature": 20.2, "probe_tip_3_temperature": 20.3,
            ]),
        DevicePacket(
            "a cooker hood of Fjäråskupan", name: "COOKERHOOD_FJAR", company: 0x4F48,
            "4F44464A4152 01 02 01 01 00 30 04",
            [
                "fan_speed": 1, "after_cooking_fan_speed": 2, "light_on": true, "after_cooking_on": false,
                "periodic_venting_on": false, "grease_filter_full": true, "carbon_filter_full": false,
                "carbon_filter_available": false, "dim_level": 48, "periodic_venting": 4,
            ]),
        DevicePacket(
            "a RAPT Pill", company: 0x4152, "5054 01 78E36D3CB994 948B 447CB9F6 3445 0262 2677 2AAC",
            [
                "mac": "78:E3:6D:3C:B9:94", "temperature": 23.94, "specific_gravity": 1.0109,
                "acceleration_x": 0.8363125, "acceleration_y": 0.038125, "acceleration_z": 0.6154375, "battery": 43,
            ]),
        DevicePacket(
            "a RAPT Pill of version 2", company: 0x4152, "5054 02 01 BFC00000 00 948B 447CB9F6 3445 0262 2677 2AAC",
            [
                "gravity_velocity": -1.5, "temperature": 23.94, "specific_gravity": 1.0109, "acceleration_x": 0.8363125,
                "acceleration_y": 0.038125, "acceleration_z": 0.6154375, "battery": 43,
            ]),
        DevicePacket(
            "a MOCREO ST5", name: "MOCREO", company: 0x8101, "290154B0920900000000006162000000",
            ["battery": 84, "temperature": 24.5]),
        DevicePacket(
            "a MOCREO ST6", name: "MOCREO", company: 0x8341, "DD0262B0200AF31400000150BF000000",
            ["battery": 98, "temperature": 25.92, "humidity": 53.63]),
        DevicePacket(
            "a MOCREO ST8", name: "MOCREO", company: 0x8411, "E98264B05A0A00000000000A64000000",
            ["battery": 100, "temperature": 26.5]),
        DevicePacket(
            "a MOCREO ST9", name: "MOCREO", company: 0x8601, "7301C8B08C0AA713000000A20C000000",
            ["battery": 72, "temperature": 27, "humidity": 50.31]),
        DevicePacket(
            "a MOCREO ST10", name: "MOCREO", company: 0x8701, "890181B092F70000000000DA73000000",
            ["battery": 1, "temperature": -21.58]),
        DevicePacket(
            "a MOCREO MS1", name: "MOCREO", company: 0x8B41, "0A00E4B0730A00000000000040000000",
            ["battery": 100, "temperature": 26.75]),
        DevicePacket(
            "a MOCREO MS2", name: "MOCREO", company: 0x8D01, "7B00E4B0370A6212000000002E000000",
            ["battery": 100, "temperature": 26.15, "humidity": 47.06]),
        DevicePacket(
            "a MOCREO MS2 of 2025", name: "MOCREO", company: 0x9401, "7B00E4B0370A0000000000002E000000",
            ["battery": 100, "temperature": 26.15]),
        DevicePacket(
            "a MOCREO MS3", name: "MOCREO", company: 0x9601, "7B00E4B0370A0000000000002E000000",
            ["battery": 100, "temperature": 26.15]),
        DevicePacket(
            "a MOCREO SW2", name: "MOCREO", company: 0x8201, "1580E4000000000000000086F6000000",
            ["battery": 100, "leak": false]),
        DevicePacket(
            "an EClerk-Eco", name: "ECo", service: 0xAA20, "84000000 B20A 200A 1503 0080 F0 47 00C2EB0B010B0300",
            ["temperature": 27.38, "humidity": 25.92, "carbon_dioxide": 789, "battery": 71]),
        DevicePacket(
            "an EClerk-Eco before its first measurement", name: "ECo", service: 0xAA20,
            "04000000 0080 0080 0080 0080 F0 46 00C2EB0B010B0300",
            ["temperature": .null, "humidity": .null, "carbon_dioxide": .null, "battery": 70]),
        DevicePacket(
            "an EClerk-Eco without its battery", name: "ECo", service: 0xAA21,
            "220A 7509 4303 0080 45636C65726B45636F0000000000",
            ["temperature": 25.94, "humidity": 24.21, "carbon_dioxide": 835]),
        DevicePacket(
            "a WT51", service: 0x1809, "2B3032332E34", ["temperature": 23.4]),
        DevicePacket(
            "a WT51 in the cold", service: 0x1809, "2D3030352E34", ["temperature": -5.4]),
        DevicePacket(
            "an Ondotori TR42A", company: 0x0392, "2301425F 00 03 0102 E404 0000 0000000012C7",
            ["temperature": 25.2, "humidity": .null]),
        DevicePacket(
            "an Ondotori TR43A", company: 0x0392, "2301445F 00 00 0000 D204 1F06 000000000000",
            ["temperature": 23.4, "humidity": 56.7]),
        DevicePacket(
            "an Ondotori RTR505B", company: 0x0392, "0100C300 00 00 3104 EC04 0000 000000000000",
            ["temperature": 26, "humidity": .null]),
        DevicePacket(
            "a Jinou BEC07-5", company: 0x1200, offers: [0xAA20], "0700 3602 64 C00000000001",
            ["mac": "C0:00:00:00:00:01", "temperature": 18.7, "humidity": 54.2]),
        DevicePacket(
            "a Blustream sensor", company: 0x0194, "01 DEF902 75 129F 09D0",
            ["acceleration": 117, "humidity": 47.67, "temperature": 25.12]),
        DevicePacket(
            "a VCHON VCH6003", name: "XL0801", company: 0x0901, "00EA 38 C00000000001",
            ["temperature": 23.4, "humidity": 56, "mac": "C0:00:00:00:00:01"]),
        DevicePacket(
            "the climate of an Air Mentor Pro 2", company: 0x2122, "00B9 1963 33 2D 0145",
            ["tvoc": 185, "aqi": 325, "temperature": 19.89, "humidity": 61.34]),
        DevicePacket(
            "the air of an Air Mentor Pro 2", company: 0x2121, "2710 0003 0003 0000",
            ["carbon_dioxide": 10000, "pm25": 3, "pm10": 3]),
        DevicePacket(
            "the air of an Air Mentor 2S", company: 0x6121, "02B8 0003 0004 1B94 0012 6D01",
            ["carbon_dioxide": 696, "pm25": 3, "pm10": 4, "formaldehyde": 18]),
        DevicePacket(
            "an Almendo bluSensor", company: 0x06E8, "010A0A080118 00 FB09 E511 A603 0F02 03",
            ["temperature": 25.55, "humidity": 45.81, "carbon_dioxide": 934, "tvoc": 527, "aqi": 3]),
        DevicePacket(
            "a Teltonika EYE sensor", company: 0x089A, "01 B7 08B4 12 0CCB 0BFFC7 67",
            [
                "low_battery": false, "temperature": 22.28, "humidity": 18, "magnetic_field_detected": false,
                "moving": false, "movement_counter": 3275, "pitch": 11, "roll": -57, "voltage": 3.03,
            ]),
        DevicePacket(
            "a Teltonika EYE beacon", company: 0x089A, "01 C0 55", ["low_battery": true, "voltage": 2.85]),
        DevicePacket(
            "the climate of a Minew beacon", service: 0xFFE1, "A101 64 1580 3280 AABBCCDDEEFF",
            ["battery": 100, "temperature": 21.5, "humidity": 50.5]),
        DevicePacket(
            "the acceleration of a Minew beacon", service: 0xFFE1, "A103 64 FFFE 0004 00F5 AABBCCDDEEFF",
            ["battery": 100, "acceleration_x": -0.0078125, "acceleration_y": 0.015625, "acceleration_z": 0.95703125]),
        DevicePacket(
            "the light of a Minew beacon", service: 0xFFE1, "A105 64 01F4 AABBCCDDEEFF",
            ["battery": 100, "illuminance": 500]),
        DevicePacket(
            "the motion of a Minew beacon", service: 0xFFE1, "A111 64 0001 AABBCCDDEEFF",
            ["battery": 100, "motion": true]),
        DevicePacket(
            "a Minew E9", service: 0xFFE1, "A113 63 1973 AABBCCDDEEFF", ["battery": 99, "temperature": 25.44921875]),
        DevicePacket(
            "the vibration of a Minew beacon", service: 0xFFE1, "A118 64 00000000 01 AABBCCDDEEFF",
            ["battery": 100, "vibration": true]),
        DevicePacket(
            "the water sensor of a Minew beacon", service: 0xFFE1, "A121 64 01 AABBCCDDEEFF",
            ["battery": 100, "leak": true]),
        DevicePacket(
            "an Acconeer XM122", company: 0xACC0, "80 6400 1600 0100 0000000000000000",
            ["battery": 100, "temperature": 22, "motion": true]),
        DevicePacket(
            "an Acconeer XM126 that measures a distance", company: 0xACC0, "90 6400 1600 5805 0000000000000000",
            ["battery": 100, "temperature": 22, "distance": 1368]),
        DevicePacket(
            "a Grundfos ALPHA Reader", name: "MI401", company: 0xF214,
            "3001 7A 03 0598 8410 3E0F 19 07 0D 0114FFFFFFFF",
            [
                "packet_id": 122, "battery_status": 3, "pump_id": 38917, "pump_mode": "constant_pressure_1",
                "pump_mode_number": 7, "temperature": 13, "flow": 645.2, "pressure": 0.119,
            ]),
        DevicePacket(
            "a Hörmann Supramatic", company: 0x07B4, "17 3E 00000000000000 6722D81075F42A04",
            ["position": 31, "opening": true]),
        DevicePacket(
            "a closed Hörmann Supramatic", company: 0x07B4, "14 00 00000000000000 EFBBAFA9D1A73B04",
            ["position": 0, "opening": false]),
        DevicePacket(
            "a Michelin tyre sensor", company: 0x0828, "0103 4F C8 D403 505643 01 7D511E00",
            ["temperature": 19, "voltage": 3, "pressure": 980, "tyre": "PVC", "steps": 1, "count": 1986941]),
        DevicePacket(
            "a BR tyre sensor", name: "BR", company: 0x1D28, offers: [0x27A5], "10 0143 342D",
            ["voltage": 2.9, "temperature": 16, "pressure": 17.8]),
        DevicePacket(
            "a Schneider Odace switch", company: 0x02B6, "8E440102030405060702",
            ["action": "toggle", "action_number": 2]),
        DevicePacket(
            "a UNI-T anemometer", company: 0xBBAA, "100131 2020302E3835 4D2F53 0000000000", ["speed": 0.85]),
    ]
}
