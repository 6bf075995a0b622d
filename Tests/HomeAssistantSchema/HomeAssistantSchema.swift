import Foundation
package import JSON

/// The discovery that Home Assistant 2026.11 accepts, as far as Bluefleet uses it.
///
/// Home Assistant rejects a message with an unknown member of the device, the origin or the root, and ignores unknown
/// members of a component. The classes and their units are in `device-classes.json`.
package struct HomeAssistantSchema {
    package let classes: JSON

    package init() throws {
        guard let url = Bundle.module.url(forResource: "device-classes", withExtension: "json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        classes = try JSON(parsing: Array(try Data(contentsOf: url)))
    }

    /// Returns every reason why Home Assistant would reject a message on this topic.
    package func complaints(about payload: JSON, on topic: String) -> [String] {
        let levels = topic.split(separator: "/").map(String.init)
        guard levels.count >= 4, levels.last == "config",
            levels.dropFirst().dropLast().allSatisfy({ $0.allSatisfy(Self.isOfIdentifiers) })
        else { return ["\(topic) is no topic of discovery"] }
        var complaints = device(payload["device"]) + origin(payload["origin"])
        if levels[1] == "device" {
            complaints += unknown(
                payload, ["device", "origin", "components", "availability", "availability_mode", "qos"])
            for member in payload["components"]?.object ?? JSON.Object() {
                if !member.name.allSatisfy(Self.isOfIdentifiers) { complaints.append("\(member.name) is no key") }
                let platform = member.value["platform"]?.string ?? ""
                complaints += component(member.value, platform).map { "\(member.name): \($0)" }
            }
        } else {
            complaints += component(payload, levels[1])
        }
        return complaints
    }

    private static func isOfIdentifiers(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "_-".contains(character))
    }

    private func unknown(_ object: JSON?, _ known: Set<String>) -> [String] {
        (object?.object?.names ?? []).filter { !known.contains($0) }.map { "\($0) is unknown" }
    }

    private func device(_ device: JSON?) -> [String] {
        var complaints = unknown(
            device,
            [
                "identifiers", "connections", "name", "manufacturer", "model", "model_id", "hw_version", "sw_version",
                "serial_number", "suggested_area", "configuration_url", "via_device",
            ])
        if device?["identifiers"]?.array?.isEmpty ?? true { complaints.append("the device has no identifiers") }
        return complaints
    }

    private func origin(_ origin: JSON?) -> [String] {
        unknown(origin, ["name", "sw_version", "support_url"])
            + (origin?["name"]?.string == nil ? ["the origin has no name"] : [])
    }

    // MARK: Components

    private static let common: Set = [
        "platform", "unique_id", "name", "entity_category", "enabled_by_default", "availability", "availability_mode",
        "qos", "device", "origin", "value_template", "state_topic", "icon",
    ]

    private static let own: [String: Set<String>] = [
        "sensor": ["device_class", "state_class", "unit_of_measurement", "suggested_display_precision", "options"],
        "binary_sensor": ["device_class", "payload_on", "payload_off"],
        "number": ["device_class", "unit_of_measurement", "min", "max", "step", "command_topic", "command_template"],
        "switch": ["command_topic", "payload_on", "payload_off", "state_on", "state_off"],
        "select": ["command_topic", "command_template", "options"],
        "text": ["command_topic", "command_template", "pattern", "max"],
        "button": ["command_topic", "payload_press"],
        "event": ["event_types"],
    ]

    private static let required: [String: [String]] = [
        "sensor": ["state_topic"], "binary_sensor": ["state_topic"], "number": ["command_topic"],
        "switch": ["command_topic"], "select": ["command_topic", "options"], "text": ["command_topic"],
        "button": ["command_topic"], "event": ["state_topic", "event_types"],
    ]

    private func component(_ component: JSON, _ platform: String) -> [String] {
        guard let own = Self.own[platform], let required = Self.required[platform] else {
            return ["\(platform) is no platform"]
        }
        var complaints = unknown(component, Self.common.union(own))
        for name in required + ["unique_id"] where component[name] == nil { complaints.append("\(name) is missing") }
        if let category = component["entity_category"]?.string, category != "diagnostic" {
            complaints.append("\(category) is no category of a sensor")
        }
        if let options = component["options"]?.array {
            if options.isEmpty || Set(options).count != options.count { complaints.append("options: \(options)") }
            if component["state_class"] != nil || component["unit_of_measurement"] != nil {
                complaints.append("options are of no class and have no unit")
            }
        }
        if platform == "number" { complaints += limits(component) }
        if let most = component["max"]?.double, platform == "text", !(1...255).contains(most) {
            complaints.append("max is \(most)")
        }
        if let types = component["event_types"]?.array, types.isEmpty || Set(types).count != types.count {
            complaints.append("event_types: \(types)")
        }
        return complaints + deviceClass(component, platform)
    }

    private func limits(_ component: JSON) -> [String] {
        guard let least = component["min"]?.double, let most = component["max"]?.double,
            let step = component["step"]?.double, least < most, step >= 0.001
        else { return ["min, max and step do not fit together"] }
        return []
    }

    private func deviceClass(_ component: JSON, _ platform: String) -> [String] {
        guard let deviceClass = component["device_class"]?.string else { return [] }
        guard let known = classes[platform]?[deviceClass] else {
            return ["\(deviceClass) is no class of a \(platform)"]
        }
        var complaints: [String] = []
        if let units = known["units"]?.array, !units.isEmpty {
            let unit = component["unit_of_measurement"] ?? .null
            if !units.contains(unit) { complaints.append("\(deviceClass) in \(unit), not one of \(units)") }
        }
        if let stateClass = component["state_class"], known["state_classes"]?.array?.contains(stateClass) == false {
            complaints.append("\(deviceClass) with \(stateClass)")
        }
        return complaints
    }
}
