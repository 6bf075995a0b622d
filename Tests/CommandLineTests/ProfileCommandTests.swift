import Configuration
import Foundation
import JSON
import Testing

@testable import bluefleet

@Suite struct ProfileCommandTests {
    @Test func `profiles lists names, makers and models`() throws {
        let all = try Bluefleet.run(["profiles"])
        #expect(all.status == 0)
        #expect(all.lines.count >= 30)
        #expect(try Bluefleet.run(["profiles", "JBD"]).lines == ["jbd/battery  JBD Smart BMS"])
        let unknown = try Bluefleet.run(["profiles", "jbd/batery"])
        #expect(unknown.status == 64)
        #expect(unknown.error.contains("unknown profile 'jbd/batery': did you mean 'jbd/battery'?"))
    }

    @Test func `profiles shows one profile, also as JSON`() throws {
        let text = try Bluefleet.run(["profiles", "renogy/bt1"]).output
        #expect(text.contains("parameter   station: Modbus address, default 255"))
        #expect(text.contains("topic       charger: battery (%), voltage (V)"))
        let json = try JSON(parsing: Array(try Bluefleet.run(["profiles", "renogy/bt1", "--json"]).output.utf8))
        #expect(json["maker"]?.string == "Renogy")
        #expect(json["parameters"]?[0]?["name"]?.string == "station")
    }

    static let decoded: [(words: [String], output: String)] = [
        (["jbd/battery", "cells", "DD0400080D660D610D680D59FE3C77"], "voltages  3.43 V, 3.425 V, 3.432 V, 3.417 V"),
        (
            ["jbd/battery", "cells", "DD0400080D66", "0D610D68", "0D59FE3C77"],
            "voltages  3.43 V, 3.425 V, 3.432 V, 3.417 V"
        ),
        // An encrypted device: the bytes are those on the air.
        (
            ["leagend/bm6", "battery", "5A7A41C3A57CA1FA9247F76557C5D618"],
            "temperature  23 °C\nstate        low\nbattery      0 %\nvoltage      11.95 V"
        ),
        (["nordic/thingy52", "humidity", "2A"], "42 %"),
        (["nordic/thingy52", "humidity", "2A", "--json"], #"{"value":42,"unit":"%"}"#),
        (["xiaomi/lywsd02", "climate", "C30A36"], "temperature  27.55 °C\nhumidity     54 %"),
    ]

    @Test(arguments: decoded)
    func `decode prints the value of an entry of a profile`(words: [String], output: String) throws {
        let outcome = try Bluefleet.run(["decode"] + words)
        #expect(outcome.output == output + "\n")
        #expect(outcome.status == 0 && outcome.error == "")
    }

    static let rejected: [(words: [String], status: Int32, error: String)] = [
        (
            ["decode", "jbd/battery", "cells", "DD0400080D66"], 65,
            "cells: the bytes are only the beginning of the answer"
        ),
        (["decode", "jbd/battery", "cells", "DD048000FF8077"], 65, "cells: the device refused the question"),
        (["decode", "jbd/battery", "cels", "DD"], 64, "unknown entry 'cels': did you mean 'cells'?"),
        (["decode", "jbd/battery"], 64, "missing argument ENTRY after jbd/battery: one of basic, cells, hardware"),
        (["decode", "jbd/battery", "cells"], 64, "missing argument HEX"),
        (["encode", "renogy/bt1", "load", #"{"load":"maybe"}"#], 65, "expected a number or one of off, on"),
        (["encode", "nordic/thingy52", "humidity"], 64, "missing argument VALUE"),
        (["profile", "remove", "jbd/battery", "x"], 64, "expected copy, found 'remove'"),
    ]

    @Test(arguments: rejected)
    func `a wrong argument is reported`(words: [String], status: Int32, error: String) throws {
        let outcome = try Bluefleet.run(words)
        #expect(outcome.status == status)
        #expect(outcome.error.contains(error), "\(outcome.error)")
    }

    @Test func `encode prints the bytes of a question, of a command and of a value`() throws {
        #expect(try Bluefleet.run(["encode", "jbd/battery", "cells"]).output == "dda50400fffc77\n")
        let command = ["encode", "renogy/bt1", "load", #"{"load":"on"}"#]
        #expect(try Bluefleet.run(command).output == "ff06010a00017c2a\n")
        #expect(try Bluefleet.run(["encode", "philips/hue", "power", "true"]).output == "01\n")
        let encrypted = try Bluefleet.run(["encode", "leagend/bm6", "battery"]).output
        #expect(encrypted == "697ea0b5d54cf024e794772355554114\n")
    }

    @Test func `check warns about a copied profile that is older than the shipped one`() {
        func warning(_ version: Int, _ shipped: Int?) -> String? {
            Configuration.UsedProfile(
                name: "jbd/battery", path: "profiles/jbd/battery.yaml", version: version, replacedVersion: shipped
            ).warning
        }
        #expect(
            warning(1, 2) == """
                profiles/jbd/battery.yaml: warning: the profile has version 1, and version 2 ships with Bluefleet: compare \
                them, or remove this file
                """)
        #expect(warning(2, 2) == nil && warning(3, 2) == nil && warning(1, nil) == nil)
    }

    @Test func `a copy replaces the shipped profile, and check names it`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bluefleet-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = "\(folder)/profiles/jbd/battery.yaml"
        #expect(try Bluefleet.run(["profile", "copy", "jbd/battery", copy]).status == 0)
        let again = try Bluefleet.run(["profile", "copy", "jbd/battery", copy])
        #expect(again.status == 69 && again.error.contains("exists already"))

        let file = "\(folder)/bluefleet.yaml"
        let text = "devices: {b: {address: \"C0:00:00:00:00:01\", profile: jbd/battery}}"
        try Data(text.utf8).write(to: URL(filePath: file))
        let check = try Bluefleet.run(["check", file])
        #expect(check.status == 0)
        #expect(check.output.contains("jbd/battery (version 1,") && check.output.contains("in place of the"))
        #expect(check.output.contains("dda50400fffc77"))

        let changed = try String(contentsOfFile: copy, encoding: .utf8).replacing("FF02", with: "FF09")
        try Data(changed.utf8).write(to: URL(filePath: copy))
        #expect(try Bluefleet.run(["check", file]).output.contains("FF00/FF09"))
    }
}
