import TestSupport

/// What a test plays.
struct Script: Sendable {
    /// The peripherals, as a fleet's file describes them.
    var fleet: String
    /// The bridge's devices, and what else its configuration says.
    var configuration: String
    /// More keys of the configuration's `mqtt`.
    var mqtt = ""
    /// The keys of the configuration's `home_assistant`.
    var homeAssistant = "discovery: none"
    var broker = Broker.Options()
    /// How long links may take to end when the bridge stops.
    var farewell = Duration.seconds(8)
    var hasBus = true
    var hasBluetoothd = true
    var hasGateway = true

    init(fleet: String, _ configuration: String) {
        self.fleet = fleet
        self.configuration = configuration
    }

    /// A copy of the script that is different in something.
    func with(_ change: (inout Script) -> Void) -> Script {
        var script = self
        change(&script)
        return script
    }
}
