import Bluetooth
import Codec

extension DevicePacket {
    /// Victron's records, each encrypted with a key for these tests.
    static let victron = [
        DevicePacket(
            "a Victron GX device", company: 0x02E1, key: sampleKey,
            "10 00 42A0 07 3412 0D 6FA69987CB499B8E55AAE8",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "battery_voltage": 52.4,
                "pv_power": 1500, "soc": 57, "battery_power": -250, "dc_power": 300,
            ]),
        DevicePacket(
            "a SolarSense", company: 0x02E1,
            "1000 00A0 FF 0100 01 00000000 FF 881320 4E00 34A10631 0200",
            [
                "model_id": 40960, "model_name": .null, "error_flags": 0, "charger_error": .null, "power": 5000,
                "yield_today": 12.5, "irradiance": 850, "cell_temperature": 45, "battery_voltage": 3.1,
                "time_since_sun": 0,
            ]),
        DevicePacket(
            "a Victron battery monitor", company: 0x02E1, key: sampleKey,
            "10 00 42A0 02 3412 0D E84DA0865B7A777489651793FC33A2",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "remaining_mins": .null,
                "voltage": 12.53, "alarm": 0, "current": -3.14, "consumed_ah": -5, "soc": 50, "starter_voltage": 13,
            ]),
        DevicePacket(
            "a Victron battery monitor temp", company: 0x02E1, key: sampleKey,
            "10 00 42A0 02 3412 0D 73B2A0865B7A14056B9AE85E038C82",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "remaining_mins": 100,
                "voltage": 12.53, "alarm": 0, "current": 3.14, "consumed_ah": .null, "soc": .null, "temperature": 25,
            ]),
        DevicePacket(
            "a Victron battery sense", company: 0x02E1, key: sampleKey,
            "10 00 A4A3 02 3412 0D E84D83865B7A1E028754175E038C82",
            [
                "model_id": 41892, "model_name": "Smart Battery Sense", "remaining_mins": .null, "voltage": 12.22,
                "alarm": 0, "current": -0.001, "consumed_ah": .null, "soc": .null, "temperature": 22.5,
            ]),
        DevicePacket(
            "a Victron inverter", company: 0x02E1, key: sampleKey, "10 00 42A0 03 3412 0D 1EB245675F1E63A8A0A9E8",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "device_state": "inverting",
                "device_state_number": 9, "alarm": 0, "battery_voltage": 12.53, "ac_apparent_power": 100,
                "ac_voltage": 230.01, "ac_current": 0.5,
            ]),
        DevicePacket(
            "a Victron dcdc", company: 0x02E1, key: sampleKey, "10 00 42A0 04 3412 0D 17B2A086A405627179AB",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "charge_state": "off",
                "charge_state_number": 0, "charger_error": "no_error", "charger_error_number": 0,
                "input_voltage": 12.53, "output_voltage": .null, "off_reason": "no_input_power", "off_reason_number": 1,
            ]),
        DevicePacket(
            "a Victron lithium", company: 0x02E1, key: sampleKey,
            "10 00 42A0 05 3412 0D 17B245825B7ADFAF8654175E0396A9D7",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "bms_flags": 0, "error_flags": 0,
                "cell_1_voltage": 3.2, "cell_2_voltage": 3.21, "cell_3_voltage": .null, "cell_4_voltage": .null,
                "cell_5_voltage": .null, "cell_6_voltage": .null, "cell_7_voltage": .null, "cell_8_voltage": .null,
                "battery_voltage": 12.53, "balancer_status": "balanced", "balancer_status_number": 1,
                "battery_temperature": 25,
            ]),
        DevicePacket(
            "a Victron ac charger", company: 0x02E1, key: sampleKey, "10 00 42A0 08 3412 0D 13B229475A859C8E86541760FE",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "charge_state": "absorption",
                "charge_state_number": 4, "charger_error": "no_error", "charger_error_number": 0,
                "output_voltage_1": 13.88, "output_current_1": 1.4, "output_voltage_2": .null,
                "output_current_2": .null, "output_voltage_3": .null, "output_current_3": .null,
                "battery_temperature": 25, "ac_current": 0.5,
            ]),
        DevicePacket(
            "a Victron protect", company: 0x02E1, key: sampleKey,
            "10 00 42A0 09 3412 0D EEB345825B7A63947D49ECA1FC73BD",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "device_state": "active",
                "device_state_number": 249, "output_state": "on", "output_state_number": 1, "charger_error": "no_error",
                "charger_error_number": 0, "alarm": 0, "warning": 0, "input_voltage": 12.53, "output_voltage": 12.5,
                "off_reason": "none", "off_reason_number": 0,
            ]),
        DevicePacket(
            "a Victron lynx", company: 0x02E1, key: sampleKey, "10 00 42A0 0A 3412 0D 17D645675F74637179ABE871DB70BDD7",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "error_flags": 0,
                "remaining_mins": 100, "voltage": 12.53, "current": 1.4, "io_status": 0, "alarm_flags": 0, "soc": 50,
                "consumed_ah": 5, "battery_temperature": 25,
            ]),
        DevicePacket(
            "a Victron multi rs", company: 0x02E1, key: sampleKey, "10 00 42A0 0B 3412 0D 1EB24B82BE7E0771B1ABC4A08773",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "device_state": "inverting",
                "device_state_number": 9, "charger_error": "no_error", "charger_error_number": 0,
                "battery_current": 1.4, "battery_voltage": 12.53, "active_ac_in": "ac_in_1", "active_ac_in_number": 0,
                "active_ac_in_power": 100, "active_ac_out_power": 200, "pv_power": 300, "yield_today": 1.23,
            ]),
        DevicePacket(
            "a Victron ve.bus", company: 0x02E1, key: sampleKey, "10 00 42A0 0C 3412 0D 1EB2B77DBE3EFF8E3EADE8E0E5",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "device_state": "inverting",
                "device_state_number": 9, "error": 0, "battery_current": -1.4, "battery_voltage": 12.53,
                "active_ac_in": "ac_in_2", "active_ac_in_number": 1, "ac_in_power": -100, "ac_out_power": 200,
                "alarm": "no_alarm", "alarm_number": 0, "battery_temperature": 25, "soc": 50,
            ]),
        DevicePacket(
            "a Victron dc meter", company: 0x02E1, key: sampleKey, "10 00 42A0 0D 3412 0D E04DA0865B7A7774896517",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "meter_type": -9, "voltage": 12.53,
                "alarm": 0, "current": -3.14, "starter_voltage": 13,
            ]),
        DevicePacket(
            "a Victron dc meter without a thermometer", company: 0x02E1, key: sampleKey,
            "10 00 42A0 0D 3412 0D E04DA0865B7A9C8E8B6517",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "meter_type": -9, "voltage": 12.53,
                "alarm": 0, "current": -3.14, "temperature": .null,
            ]),
        DevicePacket(
            "a Victron battery monitor without a midpoint", company: 0x02E1, key: sampleKey,
            "10 00 42A0 02 3412 0D E84DA0865B7A9C8E88651793FC33A2",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "remaining_mins": .null,
                "voltage": 12.53, "alarm": 0, "current": -3.14, "consumed_ah": -5, "soc": 50, "midpoint_voltage": .null,
            ]),
        DevicePacket(
            "a Victron battery monitor without a starter", company: 0x02E1, key: sampleKey,
            "10 00 42A0 02 3412 0D E84DA0865B7A9C0E89651793FC33A2",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "remaining_mins": .null,
                "voltage": 12.53, "alarm": 0, "current": -3.14, "consumed_ah": -5, "soc": 50, "starter_voltage": .null,
            ]),
        DevicePacket(
            "a Victron ve.bus that knows of no error", company: 0x02E1, key: sampleKey,
            "10 00 42A0 0C 3412 0D 1E4DB77DBE3EFF8E3EADE8E0E5",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "device_state": "inverting",
                "device_state_number": 9, "error": .null, "battery_current": -1.4, "battery_voltage": 12.53,
                "active_ac_in": "ac_in_2", "active_ac_in_number": 1, "ac_in_power": -100, "ac_out_power": 200,
                "alarm": "no_alarm", "alarm_number": 0, "battery_temperature": 25, "soc": 50,
            ]),
        DevicePacket(
            "a Victron orion xs", company: 0x02E1, key: sampleKey, "10 00 42A0 0F 3412 0D 14B22987557A867576ABE8A1FC73",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "charge_state": "bulk",
                "charge_state_number": 3, "charger_error": "no_error", "charger_error_number": 0,
                "output_voltage": 13.88, "output_current": 1.4, "input_voltage": 12.53, "input_current": 1.5,
                "off_reason": "none", "off_reason_number": 0,
            ]),
        DevicePacket(
            "a Victron inverter rs", company: 0x02E1, key: sampleKey, "10 00 42A0 06 3412 0D 1EB22987557A4F7002AB20A1",
            [
                "model_id": 41026, "model_name": "BlueSolar Charger MPPT 75/15", "device_state": "inverting",
                "device_state_number": 9, "charger_error": "no_error", "charger_error_number": 0,
                "battery_voltage": 13.88, "battery_current": 1.4, "pv_power": 300, "yield_today": 1.23,
                "ac_out_power": 200,
            ]),
    ]
}
