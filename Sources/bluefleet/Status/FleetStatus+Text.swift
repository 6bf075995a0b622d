import Bridge
import Codec
import Contract
import JSON
import System

extension FleetStatus {
    /// The devices as a table, then one line for each gateway.
    ///
    /// - Parameters:
    ///   - now: The present time, for ages.
    ///   - width: The width of the lines in columns; a longer name of a device is not cut.
    /// - Returns: The lines.
    func lines(at now: Timestamp, width: Int) -> [String] {
        let devices = devices
        var lines: [String] = []
        if !devices.isEmpty {
            let titles = ["DEVICE", "STATE", "SINCE", "LAST VALUE", "AGE", "GATEWAY"]
            let rows = devices.map { $0.cells(at: now) }
            // Long names of devices and gateways leave room for the value.
            let limits = [28, 7, 6, Int.max, 6, 14]
            var widths = titles.indices.map { column in
                min(limits[column], ([titles] + rows).map { $0[column].columns }.max() ?? 0)
            }
            let others = widths.reduce(0, +) - widths[3] + 2 * (widths.count - 1)
            widths[3] = min(widths[3], max(10, width - others))
            lines.append(Self.line(titles, widths))
            for (device, cells) in zip(devices, rows) {
                var cells = cells
                if cells[0].columns > widths[0] {
                    lines.append(Style.bold(cells[0]))
                    cells[0] = ""
                }
                lines.append(Self.line(cells, widths, device.emphasis))
                if let reason = device.reason?.printable {
                    lines += Paragraph(breaking: reason, indent: 2).lines(indent: 2)
                }
            }
            lines.append("")
        }
        return lines + gateways.flatMap { $0.lines(devices.filter { [name = $0.name] in $0.gateway == name }, at: now) }
    }

    private static func line(_ cells: [String], _ widths: [Int], _ emphasis: (String) -> String = { $0 }) -> String {
        var cells = zip(cells, widths).map { $0.cut(to: $1).padded(to: $1) }
        let rest = cells[2...].joined(separator: "  ").trimmingTrailingSpaces
        cells[1] = emphasis(cells[1])
        return "\(cells[0])  \(cells[1])  \(rest)".trimmingTrailingSpaces
    }
}

extension FleetStatus.Device {
    /// The columns of the table.
    fileprivate func cells(at now: Timestamp) -> [String] {
        let time = last?.reading.time ?? lastSeen
        return [
            name.printable, state?.rawValue ?? "unknown", since.map { now.age(of: $0) } ?? "", last?.text ?? "",
            time.map { now.age(of: $0) } ?? "", gateway?.printable ?? "",
        ]
    }

    fileprivate var emphasis: (String) -> String {
        switch state {
        case .online, .asleep: Style.green
        case .stale: Style.yellow
        case .offline: Style.red
        case nil: { $0 }
        }
    }
}

extension FleetStatus.LastReading {
    /// The reading as text: `temperature 21.53 °C`.
    fileprivate var text: String {
        let members = reading.members
        if let value = reading.value { return "\(name) \(Self.text(of: value, in: reading.unit))".printable }
        let fields = members.map { "\($0.name) \(Self.text(of: $0.value, in: nil))" }
        return "\(name): \(fields.joined(separator: ", "))".printable
    }

    private static func text(of json: JSON, in unit: String?) -> String {
        Value(json)?.text(in: unit) ?? json.description
    }
}

extension FleetStatus.Gateway {
    /// The gateway and the number of its devices in each state.
    fileprivate func lines(_ devices: [FleetStatus.Device], at now: Timestamp) -> [String] {
        var parts = [state?.rawValue ?? "unknown"]
        if state == .online, let started { parts[0] += " for \(now.age(of: started))" }
        if let version { parts.append("version \(version)") }
        if let bluetooth, state == .online { parts.append("Bluetooth \(bluetooth)") }
        parts.append(devices.count == 1 ? "1 device" : "\(devices.count) devices")
        let states = Dictionary(grouping: devices) { $0.state?.rawValue ?? "unknown" }.sorted { $0.key < $1.key }
        let counts = states.map { "\($0.value.count) \($0.key)" }.joined(separator: ", ")
        let text = "gateway \(name.printable): \(parts.joined(separator: ", "))" + (counts.isEmpty ? "" : ": \(counts)")
        return Paragraph(breaking: text, indent: 2).lines(hanging: 2)
    }
}

extension Timestamp {
    /// Returns the age of an earlier time; a time in the future counts as now.
    fileprivate func age(of time: Timestamp) -> String {
        Duration.milliseconds(max(0, milliseconds - time.milliseconds)).age
    }
}
