internal import Configuration

extension Configuration {
    /// What has changed since another one and is looked at only when the gateway starts, by the file's words.
    func sectionsForTheStart(since old: Configuration) -> [String] {
        let changes = [
            ("gateway", gateway != old.gateway), ("state_directory", stateDirectory != old.stateDirectory),
            ("mqtt", broker != old.broker), ("bluetooth", bluetooth != old.bluetooth),
        ]
        return changes.filter(\.1).map(\.0)
    }
}
