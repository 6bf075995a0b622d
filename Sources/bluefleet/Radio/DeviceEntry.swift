internal import BlueZ
internal import Bluetooth
internal import Bridge
internal import Codec
internal import Configuration

/// A device as an entry of the configuration: a whole file, what to append to one, or to paste below `devices:`.
struct DeviceEntry {
    private let device: InspectedDevice
    private let takenNames: Set<String>

    /// - Parameter takenNames: Those of the devices that the configuration has already.
    init(_ device: InspectedDevice, besides takenNames: Set<String>) {
        self.device = device
        self.takenNames = takenNames
    }

    /// What is of no interest to a bridge: the generic services, and what the maker says of the device.
    private static let passedOver: Set<UUID> = [0x1800, 0x1801, 0x180A]

    /// The YAML, without an end of line.
    var text: String {
        // The last line of the file to which it is appended may have no end. A document of its own adds to the file's
        // devices, wherever they stand.
        var lines = ["", "---", "devices:", "  \(name):", "    address: \(device.address)"]
        if isProtected { lines.append("    pair: true") }
        let rows = rows
        guard !rows.isEmpty else { return (lines + ["    connect: never"]).joined(separator: "\n") }
        let isIdle = rows.allSatisfy(\.isComment)
        lines += isIdle ? ["    connect: on demand", "    # characteristics:"] : ["    characteristics:"]
        return (lines + rows.map(\.text)).joined(separator: "\n")
    }

    private var name: String {
        let name = Self.identifier(device.name ?? "")
        let digits = device.address.text(separator: "").lowercased()
        guard !name.isEmpty, TopicName.complaint(aboutDevice: name) == nil else { return "device_\(digits)" }
        // Ten sensors of a kind call themselves the same.
        return takenNames.contains(name) ? "\(name)_\(digits.suffix(4))" : name
    }

    /// Whether something in it can only be read with a bond.
    private var isProtected: Bool {
        device.inspection.findings.contains { finding in
            if case .failure(let error)? = finding.value { error.code == .notPaired } else { false }
        }
    }

    /// What 80 columns leave for a characteristic, in a comment too.
    private static let width = 70

    private struct Row {
        let text: String
        let isComment: Bool
    }

    private var rows: [Row] {
        var rows: [Row] = []
        var names: Set<String> = []
        var counts: [[String]: Int] = [:]
        for part in device.inspection.parts where !Self.passedOver.contains(part.service.uuid) {
            for finding in part.findings {
                var place = ["service: \(part.service.uuid)", "uuid: \(finding.characteristic.uuid)"]
                let instance = counts[place, default: 0] + 1
                counts[place] = instance
                if instance > 1 { place.append("instance: \(instance)") }
                guard let use = Use(finding) else { continue }
                let name = Self.unique(Self.name(of: finding), among: &names)
                rows.append(row(name, place, use, finding))
            }
        }
        return rows
    }

    private func row(_ name: String, _ place: [String], _ use: Use, _ finding: Inspection.Finding) -> Row {
        var keys = place + use.keys
        if finding.needsFormat, let field = finding.format?.fields.first { keys.append("format: [\(field.yaml)]") }
        let mapping = "{\(keys.joined(separator: ", "))}"
        var lines = ["\(name): \(mapping)"]
        let isWritable = finding.characteristic.properties.canWrite
        if lines[0].count > Self.width {
            // One with long UUIDs, or to which something may be added, is easier to change over several lines.
            let isShort = mapping.count + 2 <= Self.width && !isWritable
            lines = ["\(name):"] + (isShort ? [mapping] : keys).map { "  \($0)" }
        }
        if use == .write {
            lines = ["# Uncomment it to let commands write it:"] + lines.map { "# \($0)" }
        } else if isWritable {
            lines.append((lines.count > 1 ? "  " : "") + "# write: true would let commands write it")
        }
        return Row(text: lines.map { "      \($0)" }.joined(separator: "\n"), isComment: use == .write)
    }

    // MARK: Names

    private static func name(of finding: Inspection.Finding) -> String {
        let uuid = finding.characteristic.uuid
        if let name = AssignedNumbers.characteristics[uuid] { return name }
        let name = identifier(finding.description ?? "")
        if !name.isEmpty, TopicName.complaint(aboutCharacteristic: name) == nil { return name }
        return "characteristic_\(uuid.description.prefix(8).lowercased())"
    }

    /// A text in the letters that topics, Home Assistant and YAML take as they are; empty when nothing is left of it.
    private static func identifier(_ text: String) -> String {
        let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.joined(separator: "_").prefix(64)
        // YAML takes what is all digits for a number, and some words for true and false.
        guard name.first?.isLetter == true else { return name.isEmpty ? "" : "device_\(name)" }
        return ["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(name)
            ? "device_\(name)" : String(name)
    }

    private static func unique(_ name: String, among names: inout Set<String>) -> String {
        let candidates = [name] + (2...99).map { "\(name)_\($0)" }
        let free = candidates.first { !names.contains($0) } ?? name
        names.insert(free)
        return free
    }
}

/// What a bridge does with a characteristic that can do so much.
private enum Use: Equatable {
    case subscribe(alsoReads: Bool)
    case read(every: String)
    case write

    init?(_ finding: Inspection.Finding) {
        let properties = finding.characteristic.properties
        if properties.canSubscribe {
            self = .subscribe(alsoReads: properties.contains(.read))
        } else if properties.contains(.read) {
            self = .read(every: finding.characteristic.uuid == 0x2A19 ? "1h" : "10m")
        } else if properties.canWrite {
            self = .write
        } else {
            return nil
        }
    }

    var keys: [String] {
        switch self {
        case .subscribe(alsoReads: true): ["subscribe: true", "read: on connect"]
        case .subscribe(alsoReads: false): ["subscribe: true"]
        case .read(let interval): ["read: \(interval)"]
        case .write: ["write: true"]
        }
    }
}

extension Inspection.Finding {
    /// Whether its layout is only in its own descriptors: the bridge reads those too, but in the entry it can be seen and
    /// changed. Numbers that do not fill their bytes have no word in the configuration.
    fileprivate var needsFormat: Bool {
        guard Characteristics.definition(of: characteristic.uuid) == nil, let format, format.hasOneValue else {
            return false
        }
        return format.fields[0].usedBits == nil || format.fields[0].type == .boolean
    }
}

extension Field {
    /// As the configuration writes it.
    fileprivate var yaml: String {
        var keys = ["name: \(name)", "type: \(type.rawValue)"]
        if case .exactly(let count)? = count { keys.append("count: \(count)") }
        if meaning.scale != 1 { keys.append("scale: \(meaning.scale)") }
        if let unit = meaning.unit { keys.append("unit: \"\(unit)\"") }
        return "{\(keys.joined(separator: ", "))}"
    }
}
