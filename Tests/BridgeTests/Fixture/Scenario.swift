import TestSupport

/// The setup of a test: a fleet, a configuration, and the programs that run.
struct Scenario: Sendable {
    /// The simulated peripherals, in the format of a fleet file.
    var fleet: String
    /// The devices and other keys of the configuration, in YAML.
    var configuration: String
    /// Additional keys of `mqtt`, in YAML.
    var mqtt = ""
    /// The keys of `home_assistant`.
    var homeAssistant = "discovery: none"
    var broker = Broker.Options()
    /// The time limit for disconnections when the gateway stops.
    var disconnectTime = Duration.seconds(8)
    var hasBus = true
    var hasBluetoothd = true
    var hasGateway = true

    init(fleet: String, _ configuration: String) {
        self.fleet = fleet
        self.configuration = configuration
    }

    /// Returns a copy with a change.
    func with(_ change: (inout Scenario) -> Void) -> Scenario {
        var scenario = self
        change(&scenario)
        return scenario
    }
}
