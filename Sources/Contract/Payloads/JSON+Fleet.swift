import JSON

/// The members of payloads that gateways exchange, checked.
extension JSON {
    /// The number, if it is an integer from 0 to `FleetLimits.number`.
    var fleetNumber: Int? {
        guard let int, 0...FleetLimits.number ~= int else { return nil }
        return int
    }

    /// The text, if it can be the name of a device, a gateway, a process or a request.
    var fleetName: String? { string.flatMap { Self.isFleetName($0) ? $0 : nil } }

    /// The signal strength in dBm.
    var fleetSignal: Int? {
        guard let int, -200...50 ~= int else { return nil }
        return int
    }

    private static func isFleetName(_ text: String) -> Bool {
        1...FleetLimits.name ~= text.utf8.count && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Returns the values of an object by name.
    ///
    /// - Returns: nil if the value is not an object, has too many members, or has a name or a value that is not valid.
    static func fleetMap<Value>(
        _ json: JSON?, limit: Int = FleetLimits.devices, _ parse: (JSON) -> Value?
    ) -> [String: Value]? {
        guard let json else { return [:] }
        guard let object = json.object, object.count <= limit else { return nil }
        var values: [String: Value] = [:]
        values.reserveCapacity(object.count)
        for member in object {
            guard isFleetName(member.name), let value = parse(member.value) else { return nil }
            values[member.name] = value
        }
        return values
    }

    /// Returns the names of an array.
    ///
    /// - Returns: nil if the value is not an array, has too many elements, or has an element that is not a name.
    static func fleetNames(_ json: JSON?, limit: Int = FleetLimits.devices) -> [String]? {
        guard let json else { return [] }
        guard let array = json.array, array.count <= limit else { return nil }
        let names = array.compactMap(\.fleetName)
        return names.count == array.count ? names : nil
    }

    /// Returns whether a member is `true`; nil if it is there with another value.
    static func fleetFlag(_ json: JSON?) -> Bool? {
        guard let json else { return false }
        return json.bool == true ? true : nil
    }

    /// Returns the object with these values, sorted by name.
    static func fleetObject<Value>(_ values: [String: Value], _ json: (Value) -> JSON) -> JSON {
        let sorted = values.sorted { $0.key < $1.key }
        return .object(JSON.Object(distinct: sorted.map { .init(name: $0.key, value: json($0.value)) }))
    }
}

extension JSON.Object {
    /// Adds an object with values by name, unless there are none.
    mutating func addFleet<Element>(_ name: String, _ values: [String: Element], _ json: (Element) -> JSON) {
        if !values.isEmpty { self[name] = JSON.fleetObject(values, json) }
    }

    /// Adds an array of names, unless there are none.
    mutating func addFleet(_ name: String, _ names: [String]) {
        if !names.isEmpty { self[name] = .array(names.map { .string($0) }) }
    }

    /// Adds `true`, unless the flag is not set.
    mutating func addFleet(_ name: String, _ flag: Bool) {
        if flag { self[name] = true }
    }
}
