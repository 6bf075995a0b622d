internal import Configuration

extension Configuration {
    /// Whether the broker is to be talked to in another way than by another configuration: another one, another name
    /// of ours, other topics.
    func needsOtherOutlet(than old: Configuration) -> Bool {
        broker != old.broker || gateway != old.gateway
    }
}
