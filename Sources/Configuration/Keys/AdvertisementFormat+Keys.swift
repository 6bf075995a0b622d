import Bluetooth
import Codec

extension AdvertisementFormat {
    private enum Keys {
        static let company = Key(
            "company", .integer(0...0xFFFF), example: "0x0499", "The company whose data are meant.")
        static let service = Key("service", .service, example: "FCD2", "The service whose data are meant.")
        static let startsWith = Key(
            "starts_with", Kind<BytePattern>.bytePattern, example: "\"05\"",
            "What the data begin with, in hexadecimal digits; ? for any digit.")
        static let length = Key("length", .integer(0...255), example: "24", "How many bytes the data have.")
        static let name = Key("name", .text, example: "Tank", "What the device's own name begins with.")
        static let format = Key(
            required: "format", Format.located, example: "[{name: level, type: uint8}]",
            "The fields in wire order; their names become topics.")

        static let section = Section("advertisement", company, service, startsWith, length, name, format)
    }

    /// A format of advertisements for a device of one's own.
    static let kind = Kind<Configuration.AdvertisementEntry>.mapping(Keys.section) { reader in
        let (company, service) = (reader[Keys.company], reader[Keys.service])
        let (start, length, name) = (reader[Keys.startsWith], reader[Keys.length], reader[Keys.name])
        let source: AdvertisementMatch.Source
        switch (company, service) {
        case (let company?, nil): source = .company(UInt16(company))
        case (nil, let service?): source = .service(service)
        case (nil, nil) where reader.has(Keys.company) != reader.has(Keys.service):
            // What is wrong with the one has been reported.
            return nil
        default:
            reader.mistakes.report("name the company or the service whose data are meant", at: reader.position)
            return nil
        }
        guard let format = reader[Keys.format] else { return nil }
        let match = AdvertisementMatch(
            source, startingWith: start ?? "", lengths: length.map { $0...$0 } ?? 0...255,
            names: name.map { [$0] } ?? [])
        for name in format.names {
            if let complaint = TopicName.complaint(aboutCharacteristic: name.value) {
                reader.mistakes.report(complaint, at: name.position)
            }
        }
        return Configuration.AdvertisementEntry(
            format: AdvertisementFormat(AdvertisementFormat.own, match, format.format), names: format.names)
    }
}

extension Kind where Value == BytePattern {
    static var bytePattern: Kind {
        // The text decides, whatever YAML makes of it: 05 looks like a number.
        scalar("bytes") { text, _ throws(Complaint) in
            guard let pattern = BytePattern(text) else {
                throw "expected pairs of hexadecimal digits such as \"0215\", found \(text.quotedForMessage)"
            }
            return pattern
        }
    }
}
