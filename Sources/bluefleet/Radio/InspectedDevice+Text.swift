import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import Survey

extension InspectedDevice {
    /// The services with their characteristics, flags and values, as text in 80 columns.
    ///
    /// - Parameter recognition: Proposes profiles for the device.
    /// - Returns: The text.
    func text(_ recognition: ProfileRecognition) -> String {
        var lines = title.map(Style.bold)
        if let profiles = recognition.text(for: self) { lines.append(profiles) }
        for part in inspection.parts {
            lines += ["", Style.bold(AssignedNumbers.services.label(of: part.service.uuid))]
            for finding in part.findings { lines += self.lines(finding) }
        }
        return lines.joined(separator: "\n")
    }

    /// The name, address and signal strength, on one line if they fit into 80 columns.
    private var title: [String] {
        let facts = ["\(address)", rssi.map { "\($0) dBm" }].compactMap { $0 }.joined(separator: "  ")
        let names = name.map { Paragraph(breaking: $0.printable).lines() } ?? []
        guard let only = names.first, names.count == 1, only.columns + 2 + facts.columns < 80
        else { return names + [facts] }
        return ["\(only)  \(facts)"]
    }

    private func lines(_ finding: Inspection.Finding) -> [String] {
        let label = AssignedNumbers.characteristics.label(of: finding.characteristic.uuid)
        let flags = finding.characteristic.properties.flags.joined(separator: ", ")
        let lines = Paragraph(flags).lines(labelled: "  \(label)", indent: max(40, label.count + 4))
        let description = finding.description.map { "“\($0.printable)”" }
        return lines
            + ([description].compactMap { $0 } + value(of: finding))
            .flatMap { Paragraph(breaking: $0, indent: 6).lines(indent: 6) }
    }

    private func value(of finding: Inspection.Finding) -> [String] {
        switch finding.value {
        case nil: []
        case .failure(let error)?:
            [error.code == .notPaired ? "requires a bond: bluefleet pair \(address)" : error.message]
        case .success(let bytes)?:
            if let reading = finding.reading {
                reading.text.split(separator: "\n").map(String.init)
            } else if bytes.isEmpty {
                ["no bytes"]
            } else {
                [bytes.hexadecimal + (Self.plainText(bytes).map { "  “\($0)”" } ?? "")]
            }
        }
    }

    /// Returns bytes as text if there are at least three and all are printable ASCII; nil otherwise.
    static func plainText(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 2, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
