import Configuration
import Testing

/// Mistakes of users who know another program: each message says what to write.
@Suite struct MessageTests {
    @Test(arguments: [
        (
            "devices:\n  a:\n    address: C0:00:00:00:00:01\n    title: Room: 1",
            "4:16: a value with ': ' needs quotes: title: \"Room: 1\""
        ),
        (
            "mqtt: {url: ${MQTT_URL}}",
            "1:14: a '{' in a value needs quotes, and variables such as ${NAME} are not replaced: write the value, or set "
                + "the environment variable of the key, such as BLUEFLEET_MQTT_URL"
        ),
        (
            "mqtt:\n  url: ${MQTT_URL}",
            "2:8: expected a URL such as mqtt://localhost:1883, found '${MQTT_URL}' (variables are not replaced: write the "
                + "value, or set the environment variable of the key, such as BLUEFLEET_MQTT_URL)"
        ),
        (
            "fleet: [{match: {manufacturer: Ruuvi}}]",
            "1:32: expected the number of a company such as 0x0499, found 'Ruuvi': bluefleet scan --json shows it as "
                + "manufacturer_data"
        ),
        (
            "fleet: [{match: {manufacturer: 0499}}]",
            "1:32: a leading 0 is ambiguous (octal in some programs): remove it, or write 0x for hexadecimal"
        ),
        (
            "fleet: [{match: {manufacturer: FFFF}}]",
            "1:32: expected a whole number, found 'FFFF': write 0xFFFF for hexadecimal"
        ),
        ("bluetooth: {adapters: hci0}", "1:23: expected a list such as [\"B8:27:EB:12:34:56\"], found 'hci0'"),
        (
            "devices:\n  a:\n    address:C0:00:00:00:00:01\n    connect:never",
            "3:5: expected a mapping such as {address: C0:00:00:00:00:01}, found 'address:C0:00:00:00:00:01 connect:never': "
                + "write a space after each colon, and each key on a line of its own: address: C0:00:00:00:00:01, connect: "
                + "never"
        ),
        ("devices:\n  a:\n\taddress: x", "3:1: a tab is not allowed here: indent with spaces"),
        (
            "mqtt:\n  username: 'it's'",
            "2:17: a single quotation mark ends the text here: write '' for one within single quotes, or use double quotes"
        ),
        (
            "gateway: {{ name }}",
            "1:11: a key must be text, not a mapping: put a text that begins with a brace or a bracket in quotes"
        ),
    ])
    func `a mistake in the form of a value`(yaml: String, mistake: String) {
        #expect(mistakes(in: yaml).first == mistake)
    }

    @Test(arguments: [
        ("unknown: FFFF", "expected a whole number, found 'FFFF': write 0xFFFF for hexadecimal"),
        ("unknown: FFFFh", "expected a whole number, found 'FFFFh': write 0xFFFF for hexadecimal"),
        ("unknown: none", "expected a whole number, found 'none'"),
    ])
    func `a hexadecimal number without 0x`(key: String, mistake: String) {
        #expect(mistakes(in: field("type: uint16, " + key)).first?.hasSuffix(mistake) == true)
    }

    @Test(arguments: [
        ("uint16_le", "write type: uint16 (little is the default order)"),
        ("uint16le", "write type: uint16 (little is the default order)"),
        ("u16be", "write type: uint16, endian: big"), ("int32_be", "write type: sint32, endian: big"),
        ("le_uint16", "write type: uint16 (little is the default order)"),
        ("double", "did you mean 'float64'?"),
    ])
    func `a type with a byte order`(type: String, advice: String) {
        #expect(mistakes(in: field("type: \(type)")).first?.hasSuffix("unknown type '\(type)': \(advice)") == true)
    }

    @Test func `a field as NAME: TYPE is one mistake`() {
        let yaml = characteristic("format: [level: uint16, {name: b, type: uint8}]")
        #expect(mistakes(in: yaml) == ["5:10: expected a field such as {name: level, type: uint16}"])
    }

    @Test(arguments: [
        ("a ^ 2", "pow(a, 2)"), ("a ** 2", "pow(a, 2)"), ("a > 3 ? 1 : 0", "if(a > 3, 1, 0)"), ("a = 3", "a == b"),
        ("a and a", "a && b"), ("a mod 2", "a % b"),
    ])
    func `an operator of another language`(formula: String, form: String) {
        let fields = "[{name: a, type: uint8}, {name: b, type: number, value: \"\(formula)\"}]"
        #expect(mistakes(in: characteristic("format: \(fields)")).first?.hasSuffix(": write \(form)") == true)
    }
}
