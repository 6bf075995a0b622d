import Codec
import Configuration
import JSON
import Testing

/// Parameters of a device in the formats of characteristics without a question.
@Suite struct ParameterTests {
    /// Returns the format of the only characteristic of a device with parameters.
    private func format(_ fields: String, with parameters: String) throws -> Format {
        let configuration = try Configuration(yaml: Self.device(fields, with: parameters))
        return try #require(configuration.devices.first?.characteristics.first?.format)
    }

    private static func device(_ fields: String, with parameters: String) -> String {
        """
        devices:
          d:
            address: C0:00:00:00:00:01
            with: {\(parameters)}
            characteristics:
              c: {uuid: FFF1, subscribe: true, format: [\(fields)]}
        """
    }

    @Test(
        arguments: [
            ("model: 1", "0102", ["a": 1, "b": 2]), ("model: 2", "01", 1), ("model: 3", "0102", ["a": 1, "c": 2]),
        ] as [(String, String, Value)])
    func `a condition on a parameter decides which fields there are`(
        parameters: String, bytes: String, value: Value
    ) throws {
        let fields = """
            {name: a, type: uint8}, {name: b, type: uint8, when: model = 1}, \
            {name: c, type: uint8, when: [model != 1, model = 3]}, {name: d, type: bytes, when: [not model, a]}
            """
        let format = try format(fields, with: parameters)
        let reading = try format.decode(try #require([UInt8](hexadecimal: bytes)))
        #expect(reading.value == value)
        #expect(format.quantities.count == bytes.utf8.count / 2)
    }

    @Test func `two fields with conditions on a parameter can have one name`() throws {
        let fields =
            "{name: x, type: uint8, when: wide = 0}, {name: x, type: uint16, when: wide}, {hex: FF, when: wide}"
        let (narrow, wide) = (try format(fields, with: "wide: 0"), try format(fields, with: "wide: 1"))
        #expect(try narrow.decode([7]).value == 7)
        #expect(try wide.decode([7, 1, 0xFF]).value == ["x": 263])
    }

    @Test func `a length, a count and a formula use parameters`() throws {
        let fields = """
            {name: name, type: utf8, length: letters}, {name: cells, type: uint8, count: "packs * 2"}, \
            {name: sum, type: number, value: sum(cells) + packs}
            """
        let value = try format(fields, with: "letters: 2, packs: 1").decode([0x61, 0x62, 3, 4]).value
        #expect(value == ["name": "ab", "cells": [3, 4], "sum": 8])
    }

    @Test func `a field that is left out needs no possible count`() throws {
        let fields = "{name: a, type: uint8}, {name: b, type: uint8, count: probes, when: probes}"
        let (without, one) = (try format(fields, with: "probes: 0"), try format(fields, with: "probes: 1"))
        #expect(try without.decode([7]).value == 7)
        #expect(try one.decode([7, 8]).value == ["a": 7, "b": [8]])
    }

    @Test(
        arguments: [
            (
                "{name: a, type: uint8, when: model = plus}", "model: 1",
                "6:78: expected a whole number, found 'plus'"
            ),
            (
                "{name: a, type: uint8, when: model}", "model: plus",
                "6:78: the parameter 'model' is a text: a condition compares numbers"
            ),
            (
                "{name: a, type: uint8, when: model}", "model: 0",
                "6:48: the parameters of the device leave no field: change a condition"
            ),
            (
                "{name: a, type: uint8, when: model}, {name: b, type: number, value: a * 2}", "model: 0",
                "6:86: the parameters of the device leave out 'a': give this field the same condition"
            ),
            (
                "{name: a, type: uint8, count: cells}", "cells: 600",
                "6:79: expected a whole number from 1 to 512, but cells is 600"
            ),
            (
                "{name: a, type: utf8, length: cells / 2}", "cells: 3",
                "6:79: expected a whole number from 1 to 512, but cells / 2 is 1.5"
            ),
            (
                "{name: a, type: utf8, length: 8 / cells}", "cells: 0", "6:79: '8 / cells' has no result"
            ),
        ])
    func `a wrong parameter is reported where it is used`(fields: String, parameters: String, mistake: String) {
        #expect(mistakes(in: Self.device(fields, with: parameters)) == [mistake])
    }

    @Test func `corrections and derived values use parameters, but a value with the same name comes first`() throws {
        let file = """
            devices:
              d:
                address: C0:00:00:00:00:01
                with: {ratio: 40, battery_level: 7, x: 3}
                characteristics:
                  battery_level: {}
                  meter: {uuid: FFF1, subscribe: true, format: [{name: x, type: uint8}, {name: y, type: uint8}]}
                adjust: {battery_level: value * ratio, meter.y: value + x}
                derive: {power: {value: battery_level * ratio + x}, twice: {value: power * 2}}
            """
        let settings = try #require(try Configuration(yaml: file).devices.first).settings
        let corrections = settings.adjustments.compactMap { adjustment in
            if case .formula(let formula) = adjustment.rule { formula } else { nil }
        }
        #expect(try corrections.first?.number(in: ["value": .number(2)]) == 80)
        #expect(corrections.last?.names == ["value", "x"])
        #expect(settings.derivedValues.map(\.formula.names) == [["battery_level"], ["power"]])
        #expect(try settings.derivedValues.first?.formula.number(in: ["battery_level": .number(2)]) == 83)
    }

    @Test func `a text is no parameter of a correction`() {
        let file = """
            devices:
              d:
                address: C0:00:00:00:00:01
                with: {model: plus}
                characteristics: {battery_level: {}}
                adjust: {battery_level: value * model}
            """
        #expect(
            mistakes(in: file) == [
                "6:14: the parameter 'model' is a text: a formula of numbers needs a number"
            ])
    }
}
