import Contract

/// Checks the devices in the list that the running bridge has published last.
enum DeviceChecks {
    private static let subject = "devices"
    private static let most = 5

    static func findings(_ list: DeviceList) -> [Diagnosis] {
        let troubled = list.devices.compactMap { entry in
            entry.availability.flatMap { $0.isAvailable ? nil : (name: entry.name, availability: $0) }
        }
        guard !troubled.isEmpty else {
            return [.ok(subject, "\(list.devices.count) devices, none is offline or stale")]
        }
        let findings = troubled.prefix(most).map { name, availability in
            let reason = availability.reason ?? "no reason is known yet"
            let step = Remedy(for: reason).step
            return Diagnosis.advice(subject, "\(name) is \(availability.state.rawValue): \(reason). \(step)")
        }
        guard troubled.count > most else { return findings }
        let more = "\(troubled.count - most) more devices are offline or stale"
        return findings + [.advice(subject, more, "bluefleet status")]
    }
}
