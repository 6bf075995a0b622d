import Codec
import Testing

/// Op codes and their parameters.
///
/// Source: the specifications of the services CGMS, FTMS, CPS, CSCS and GLS.
@Suite struct ControlPointTests {
    @Test(
        arguments: [
            ("record_access_control_point", "0101", ["op_code": "report_stored_records", "operator": "all_records"]),
            (
                "record_access_control_point", "05000300",
                ["op_code": "number_of_stored_records_response", "operator": "null", "number_of_records": 3]
            ),
            (
                "record_access_control_point", "06000101",
                [
                    "op_code": "response_code", "operator": "null", "request_op_code": "report_stored_records",
                    "response_code_value": "success",
                ]
            ),
            (
                "cgm_specific_ops_control_point", "1c0703",
                [
                    "op_code": "response_code", "request_op_code": "set_patient_high_alert_level",
                    "response_value": "invalid_operand",
                ]
            ),
            (
                "fitness_machine_control_point", "11d6ff0a002833",
                [
                    "op_code": "set_indoor_bike_simulation", "wind_speed": -0.042, "grade": 0.1,
                    "rolling_resistance_coefficient": 0.004, "wind_resistance_coefficient": 0.51,
                ]
            ),
            ("cycling_power_control_point", "04e600", ["op_code": "set_crank_length", "crank_length": 115]),
            ("sc_control_point", "0100000000", ["op_code": "set_cumulative_value", "cumulative_value": 0]),
            ("ln_control_point", "30ab", ["op_code": 48, "parameter": "ab"]),
        ] as [(String, String, Value)])
    func `a control point decodes the parameters of its op code`(name: String, hex: String, expected: Value) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        let bytes = try HexadecimalText(hex).bytes
        #expect(try format.decode(bytes).value.description == expected.description)
        #expect(try format.encode(expected) == bytes)
    }

    @Test(
        arguments: [
            ("sc_control_point", "010000"), ("cycling_power_control_point", "04e60000"),
            ("cgm_specific_ops_control_point", "0105ffff"), ("record_access_control_point", "05000300ff"),
        ])
    func `a control point rejects parameters that do not fit`(name: String, hex: String) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        let bytes = try HexadecimalText(hex).bytes
        #expect(throws: DecodingError.self) { try format.decode(bytes) }
    }
}
