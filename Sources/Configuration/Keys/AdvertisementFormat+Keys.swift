import Bluetooth
import Codec

extension AdvertisementFormat {
    private enum Keys {
        static let company = Key(
            "company", .company, example: "0x0499", "The company identifier of the manufacturer data.")
        static let service = Key("service", .service, example: "FCD2", "The UUID of the service data.")
        static let startsWith = Key(
            "starts_with", Kind<BytePattern>.bytePattern, example: "\"05\"",
            "The first bytes of the data in hexadecimal digits; ? stands for any digit.")
        static let length = Key("length", .integer(0...longestData), example: "24", "The number of bytes of the data.")
        static let name = Key("name", .text, example: "Tank", "The beginning of the advertised name.")
        static let format = Key(
            required: "format", Format.located, example: "[{name: level, type: uint8}]",
            "The fields in wire order; the name of each field becomes a topic.")

        static let section = Section(
            "advertisement", company, service, startsWith, length, name, format,
            example: "{company: 0x0499, format: [{name: level, type: uint8}]}",
            advice: [
                "manufacturer": "did you mean 'company'?", "uuid": "did you mean 'service'?",
                "key": "write the key into a file, and the path of the file into key_file of the device",
                "key_file": "it belongs to the device",
            ])
    }

    /// The greatest number of bytes after the company or the service in one part of an advertisement.
    ///
    /// Source: Core Specification 5.4, Vol 3, Part C, 11: the length of a part is one byte, and the type and the company
    /// need three.
    private static let longestData = 252

    /// Reports data that the fields do not fit, and data that is shorter than its first bytes.
    private static func checkSize(
        of format: Format, startingWith start: BytePattern?, _ length: Int?, _ reader: MappingReader
    ) {
        let size = format.minimumSize
        if let length, let start, start.count > length {
            reader.report(
                "the data of \(length.inBytes) is shorter than starts_with, \(start.count.inBytes)", at: Keys.length)
        }
        if size > length ?? longestData {
            let data = length.map { "the data has \($0)" } ?? "an advertisement has at most \(longestData)"
            reader.report("the fields need \(size.inBytes), but \(data)", at: Keys.format)
        } else if let length, !format.hasPositions, let exact = format.fixedSize, exact < length {
            reader.report(
                "the fields have \(exact.inBytes), but the data has \(length): add rest for bytes without a meaning",
                at: Keys.format)
        }
    }

    /// An advertisement format that the configuration defines.
    static let kind = Kind<Configuration.AdvertisementEntry>.mapping(Keys.section) { reader in
        let (company, service) = (reader[Keys.company], reader[Keys.service])
        let (start, length, name) = (reader[Keys.startsWith], reader[Keys.length], reader[Keys.name])
        let source: AdvertisementMatch.Source
        switch (company, service) {
        case (let company?, nil): source = .company(UInt16(company))
        case (nil, let service?): source = .service(service)
        case (nil, nil) where reader.has(Keys.company) != reader.has(Keys.service):
            // The invalid value has been reported.
            return nil
        default:
            reader.mistakes.report(
                "expected either company (manufacturer data, e.g. 0x0499) or service (service data, e.g. FCD2); for a "
                    + "device whose format is built in: advertisement: true",
                at: reader.position)
            return nil
        }
        guard let format = reader[Keys.format] else { return nil }
        checkSize(of: format.format, startingWith: start, length, reader)
        format.warnAboutLimits(reader.mistakes, ", and advertisements are only received")
        let match = AdvertisementMatch(
            source, startingWith: start ?? "", lengths: length.map { $0...$0 } ?? 0...255,
            names: name.map { [$0] } ?? [])
        for name in format.names {
            if let problem = TopicName.problem(inCharacteristicName: name.value) {
                reader.mistakes.report(problem, at: name.position)
            }
        }
        return Configuration.AdvertisementEntry(
            format: AdvertisementFormat(AdvertisementFormat.own, match, format.format), names: format.names,
            labels: format.labels)
    }
}

extension Kind where Value == [Configuration.AdvertisementEntry]? {
    /// `true` for the built-in formats only, or formats, which have priority over the built-in formats; nil: `false`.
    static var advertisements: Kind {
        let formats = Kind<[Configuration.AdvertisementEntry]>.oneOrMore(AdvertisementFormat.kind)
        return .either("true, or \(formats.name)", section: formats.section) { node in
            if case .scalar(let text, _) = node.content, !node.isNull {
                guard Bool(text.lowercased()) == nil else { return Kind<Bool>.boolean.map { $0 ? [] : nil } }
                return Kind("") { node, mistakes in
                    mistakes.report(
                        "expected true for a built-in format, or a format such as \(formats.section?.sample ?? ""), found "
                            + node.summary, at: node.position)
                    return nil
                }
            }
            return formats.map { $0 }
        }
    }
}

extension Configuration {
    /// A format of advertisements in the file, and the names of its quantities with their positions.
    ///
    /// Each name becomes a topic.
    struct AdvertisementEntry {
        let format: AdvertisementFormat
        let names: [Located<String>]
        let labels: [String: FieldLabel]
    }
}

extension Kind where Value == Int {
    /// A company identifier of the Bluetooth SIG.
    fileprivate static var company: Kind {
        .either("whole number") { node in
            guard case .scalar(let text, _) = node.content, text.first?.isLetter ?? false else {
                return .integer(0...0xFFFF)
            }
            return Kind("") { node, mistakes in
                mistakes.report(
                    "expected a company identifier such as 0x0499, found \(text.quotedForMessage): bluefleet scan --json "
                        + "shows it", at: node.position)
                return nil
            }
        }
    }
}

extension Kind where Value == BytePattern {
    static var bytePattern: Kind {
        // The YAML type of the text is ignored, because 05 looks like a number.
        scalar("bytes") { text, _ throws(InvalidValue) in
            guard let pattern = BytePattern(text) else {
                let advice =
                    text.hasPrefix("0x") && BytePattern(String(text.dropFirst(2))) != nil
                    ? ": did you mean \"\(text.dropFirst(2))\"?" : ""
                throw "expected pairs of hexadecimal digits such as \"0215\", found \(text.quotedForMessage)\(advice)"
            }
            return pattern
        }
    }
}
