import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import Contract
import JSON
import Survey

/// The proposed configuration entry of a device, as a YAML document: a file of its own, or text to append to a file.
struct ProposedEntry {
    private let address: Address
    private let localName: String?
    /// The services; empty without a connection.
    private let parts: [Inspection.Part]
    /// The quantities that the device advertises.
    private let advertised: [Quantity]
    private let needsKey: Bool
    private let takenNames: Set<String>

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - device: The inspected device; nil without a connection.
    ///   - nearby: The data of its advertisements; nil if it does not advertise.
    ///   - takenNames: The names of the devices in the configuration.
    init(_ address: Address, _ device: InspectedDevice?, _ nearby: NearbyDevice?, besides takenNames: Set<String>) {
        self.address = address
        localName = device?.name ?? nearby?.name
        parts = device?.inspection.parts ?? []
        advertised = nearby?.quantities ?? []
        needsKey = nearby?.needsKey ?? false
        self.takenNames = takenNames
    }

    /// Services without measurements: the generic services and the device information.
    private static let ignoredServices: Set<UUID> = [0x1800, 0x1801, 0x180A]

    /// The YAML without a newline at its end.
    var text: String {
        // The text begins with a newline because the last line of a file may have none. A separate document adds to the
        // devices of the file, at any position.
        var lines = ["", "---", "devices:", "  \(name):", "    address: \(address)"]
        lines += makerLines
        if isProtected { lines.append("    pair: true") }
        if needsKey {
            lines += [
                "    # The advertisements are encrypted. recipes.md explains where the key is.",
                "    # key_file: /etc/bluefleet/keys/\(name).key",
            ]
        }
        let rows = rows
        if !advertised.isEmpty {
            let names = "Advertised in 10 s: \(advertised.map(\.name).joined(separator: ", "))"
            lines += Paragraph(names).lines(labelled: "", indent: 6).map { "    # \($0.dropFirst(6))" }
        }
        if isAdvertiser {
            let others = parts.filter { !Self.ignoredServices.contains($0.service.uuid) }.flatMap(\.findings)
                .filter { $0.format == nil }.map { "\($0.characteristic.uuid)" }
            if !others.isEmpty {
                let text = "Characteristics without a known format: \(others.joined(separator: ", "))"
                lines += Paragraph(text).lines(labelled: "", indent: 6).map { "    # \($0.dropFirst(6))" }
            }
            if !rows.isEmpty { lines += ["    advertisement: true", "    connect: every 1h"] }
        }
        guard !rows.isEmpty else { return (lines + ["    connect: never"]).joined(separator: "\n") }
        let isIdle = rows.allSatisfy(\.isComment)
        lines += isIdle ? ["    connect: on demand", "    # characteristics:"] : ["    characteristics:"]
        return (lines + rows.map(\.text)).joined(separator: "\n")
    }

    /// The keys for what the device reports about itself, and a comment about its versions.
    ///
    /// They are in the entry because the bridge does not read the Device Information Service without characteristics for it.
    private var makerLines: [String] {
        var identity = DeviceIdentity()
        for finding in parts.filter({ $0.service.uuid == 0x180A }).flatMap(\.findings) {
            guard let bytes = try? finding.value?.get(), let reading = try? finding.format?.decode(bytes) else {
                continue
            }
            _ = identity.note(reading, of: finding.characteristic.uuid)
        }
        func text(_ name: String) -> String? {
            guard let text = identity.info[name]?.string else { return nil }
            let shown = Self.printable(text)
            return shown.isEmpty ? nil : shown
        }
        var lines = ["manufacturer", "model"].compactMap { name in
            text(name).map { "    \(name): \(JSON.string($0))" }
        }
        let versions = ["firmware", "hardware", "software"].compactMap { name in text(name).map { "\(name) \($0)" } }
        if !versions.isEmpty { lines.append("    # Versions: \(versions.joined(separator: ", "))") }
        return lines
    }

    /// The longest text of a device in the entry, in characters.
    private static let longestText = 64

    /// Returns a text of a device without control characters and without white space at its ends.
    private static func printable(_ text: String) -> String {
        let isShown = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.filter(isShown)))
        let words = shown.split(separator: " ", omittingEmptySubsequences: true)
        return String(words.joined(separator: " ").prefix(longestText))
    }

    private var name: String {
        let name = Self.identifier(localName ?? "")
        let digits = address.text(separator: "").lowercased()
        guard !name.isEmpty, TopicName.problem(inDeviceName: name) == nil else { return "device_\(digits)" }
        // Sensors of the same model have the same name.
        return takenNames.contains(name) ? "\(name)_\(digits.suffix(4))" : name
    }

    /// Whether reading a characteristic requires a bond.
    private var isProtected: Bool {
        parts.flatMap(\.findings).contains { finding in
            if case .failure(let error)? = finding.value { error.code == .notPaired } else { false }
        }
    }

    /// The maximum width of a characteristic in columns: with indentation and comment sign, lines fit into 80 columns.
    private static let width = 70

    private struct Row {
        let text: String
        let isComment: Bool
    }

    private var rows: [Row] {
        var rows: [Row] = []
        var names = Set(advertised.map(\.name))
        var counts: [[String]: Int] = [:]
        for part in parts where !Self.ignoredServices.contains(part.service.uuid) {
            for finding in part.findings {
                var place = ["service: \(part.service.uuid)", "uuid: \(finding.characteristic.uuid)"]
                let instance = counts[place, default: 0] + 1
                counts[place] = instance
                if instance > 1 { place.append("instance: \(instance)") }
                guard let use = use(of: finding) else { continue }
                let name = Self.unique(Self.name(of: finding), among: &names)
                rows.append(row(name, place, use, finding))
            }
        }
        return rows
    }

    /// Returns the proposed use of a characteristic; nil if the entry does not contain the characteristic.
    ///
    /// A device that advertises values is connected only for other values with a known format.
    private func use(of finding: Inspection.Finding) -> Use? {
        guard isAdvertiser else { return Use(finding) }
        guard let quantities = finding.format?.quantities, !quantities.contains(where: isAdvertised) else { return nil }
        return Use(rarelyNeeded: finding)
    }

    /// Whether the values of the device are in its advertisements, perhaps encrypted.
    private var isAdvertiser: Bool { !advertised.isEmpty || needsKey }

    private func isAdvertised(_ quantity: Quantity) -> Bool {
        advertised.contains { other in
            other.name == quantity.name
                || other.kind == quantity.kind && quantity.kind.map { $0 != .measurement } ?? false
        }
    }

    private func row(_ name: String, _ place: [String], _ use: Use, _ finding: Inspection.Finding) -> Row {
        var keys = place + use.keys
        if finding.needsFormat, let field = finding.format?.fields.first { keys.append("format: [\(field.yaml)]") }
        let mapping = "{\(keys.joined(separator: ", "))}"
        var lines = ["\(name): \(mapping)"]
        let isWritable = finding.characteristic.properties.canWrite
        if lines[0].count > Self.width {
            // A characteristic with long UUIDs, or with a comment, is easier to edit on several lines.
            let isShort = mapping.count + 2 <= Self.width && !isWritable
            lines = ["\(name):"] + (isShort ? [mapping] : keys).map { "  \($0)" }
        }
        if finding.format == nil {
            let bytes = (try? finding.value?.get()) ?? []
            let field =
                InspectedDevice.plainText(bytes) == nil ? "{name: level, type: uint8}" : "{name: text, type: utf8}"
            lines.append((lines.count > 1 ? "  " : "") + "# format: [\(field)] describes the bytes")
        }
        if use == .write {
            lines = ["# Uncomment to allow writing:"] + lines.map { "# \($0)" }
        } else if isWritable, !isAdvertiser {
            lines.append((lines.count > 1 ? "  " : "") + "# write: true would allow writing")
        }
        return Row(text: lines.map { "      \($0)" }.joined(separator: "\n"), isComment: use == .write)
    }

    // MARK: Names

    private static func name(of finding: Inspection.Finding) -> String {
        let uuid = finding.characteristic.uuid
        if let name = AssignedNumbers.characteristics[uuid] { return name }
        let name = identifier(finding.description ?? "")
        if !name.isEmpty, TopicName.problem(inCharacteristicName: name) == nil { return name }
        return "characteristic_\(uuid.description.prefix(8).lowercased())"
    }

    /// Returns a text with only the characters that topics, Home Assistant and YAML allow; it may be empty.
    private static func identifier(_ text: String) -> String {
        let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.joined(separator: "_").prefix(64)
        // YAML reads digits as a number, and some words as booleans.
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

/// The proposed use of a characteristic, by its properties.
private enum Use: Equatable {
    case subscribe(alsoReads: Bool)
    case read(when: String)
    case write

    init?(_ finding: Inspection.Finding) {
        let properties = finding.characteristic.properties
        if properties.canSubscribe {
            self = .subscribe(alsoReads: properties.contains(.read))
        } else if properties.contains(.read) {
            self = .read(when: finding.characteristic.uuid == 0x2A19 ? "1h" : "10m")
        } else if properties.canWrite {
            self = .write
        } else {
            return nil
        }
    }

    /// The use in short sessions; nil for a characteristic that is only written.
    init?(rarelyNeeded finding: Inspection.Finding) {
        let properties = finding.characteristic.properties
        if properties.contains(.read) {
            self = .read(when: "on connect")
        } else if properties.canSubscribe {
            self = .subscribe(alsoReads: false)
        } else {
            return nil
        }
    }

    var keys: [String] {
        switch self {
        case .subscribe(alsoReads: true): ["subscribe: true", "read: on connect"]
        case .subscribe(alsoReads: false): ["subscribe: true"]
        case .read(let time): ["read: \(time)"]
        case .write: ["write: true"]
        }
    }
}

extension Inspection.Finding {
    /// Whether the entry contains the format: true if only the descriptors of the device specify the format.
    ///
    /// The bridge reads the descriptors too, but the user can change the format in the entry. The configuration has no
    /// type for numbers that do not fill their bytes.
    fileprivate var needsFormat: Bool {
        guard Characteristics.definition(of: characteristic.uuid) == nil, let format, format.hasOneValue else {
            return false
        }
        return format.fields[0].type != nil
    }
}

extension Field {
    /// The field as written in the configuration.
    fileprivate var yaml: String {
        var keys = ["name: \(name)", "type: \(type?.word ?? "bytes")"]
        if case .exactly(let count)? = count { keys.append("count: \(count)") }
        if let scale = meaning?.scale, scale != 1 { keys.append("scale: \(scale)") }
        if let unit { keys.append("unit: \"\(unit)\"") }
        return "{\(keys.joined(separator: ", "))}"
    }
}
