package import Contract
package import System

/// How a device uses connections.
package enum ConnectionNeed: Hashable, Sendable {
    /// Only advertisements are used.
    case never
    /// Connections are made for sessions and requests.
    case sometimes
    /// The device occupies a connection of its owner.
    case always
}

/// An event that a gateway of a fleet handles.
package enum FleetEvent: Sendable {
    /// The broker has accepted the connection; each connection of a process has another number.
    case connected(connection: Int)
    case disconnected
    /// A report has arrived on the topic of a gateway, which can be this one.
    case report(FleetReport, gateway: String)
    case decision(FleetDecision)
    /// The will of a gateway has arrived.
    case will(gateway: String, start: String, connection: Int)
    /// The moment `wake` has come.
    case timer
    /// The answer to `measure`: the newest signal strengths of the last 5 s in dBm, by device.
    case measured([String: Int])
    /// The gateway has connected to a device, or is disconnected from it.
    case linked(device: String, Bool)
    /// bluetoothd has a connection to a device that this process did not make, such as one of an earlier process.
    case linkFound(device: String)
    /// An attempt to connect has failed.
    case connectFailed(device: String)
    /// The devices with a bond on this gateway have changed.
    case bonded(Set<String>)
    /// The counters of the last encrypted advertisements, by device and format: once a minute, and when a device is dropped.
    case counters([String: [String: Int]])
    /// Readings of a device are kept, and `FleetGateway.admission(ofHeld:)` does not know whether another gateway has
    /// published them: the decider is asked.
    case ownerWanted(device: String)
    /// The number of free connections has changed.
    case freeSlots(Int)
    /// A request has arrived from a client.
    case request(String, FleetRequest)
    /// The gateway has executed a request; its response is ready.
    case executed(String)
    /// The connection to the broker ended before the broker acknowledged the response to a request.
    case responseLost(String)
    /// The gateway holds the seat since it has asked for it, at the time `asked`.
    ///
    /// `begun` and `answered` are the requests that a decider has recorded there. `giver` is the process that has given the
    /// seat back to this one; nil: the seat had expired, or this process has held it before.
    case seated(begun: [String: FleetClaim], answered: [String], asked: Instant, giver: FleetProcess?)
    /// The requests are recorded at the seat.
    case recorded([String: FleetClaim])
    /// The shared devices of the configuration have changed; the second value is their fingerprint.
    case devices([String: ConnectionNeed], roster: String)
    /// The revisions of devices have changed; `changed` are the devices that requests to this gateway have changed.
    case revisions([String: FleetRevision], changed: [String])
    /// Changes of devices have arrived on the topic of a gateway, which can be this one.
    case changes(FleetChanges, gateway: String)
    /// The gateway stops.
    case stop
}

/// An action that a gateway of a fleet demands.
package enum FleetAction: Equatable, Sendable {
    case publishReport(FleetReport)
    case publishDecision(FleetDecision)
    /// Publish changes of devices, as many as a message has room for, and which changes this gateway lacks, by gateway.
    case publishChanges(of: [String], wanted: [String: [String]])
    /// Publish the revisions of changed devices.
    case publishRevisions(FleetChanges.List)
    /// Apply changes of devices; then report `revisions`.
    case applyChanges([String: FleetChanges.Change])
    /// Subscribe to the reports of all gateways, or of this one only.
    case readReports(Bool)
    /// Answer with the event `measured`.
    case measure
    /// The gateway owns the device and may act for it.
    case begin(device: String)
    /// The gateway no longer owns the device.
    case end(device: String)
    /// `FleetGateway.obstacle(to:)` has changed for a device that the gateway owns.
    case obstacleChanged(device: String)
    /// Disconnect from the device.
    case disconnect(device: String)
    /// The gateway may connect to the device again after `disconnect`: it still owns the device.
    case reconnect(device: String)
    /// A request needs a connection to the device.
    case connect(device: String)
    /// The answer to `ownerWanted`: publish the readings of the device that waited, as far as `FleetGateway.admission`
    /// allows it.
    case ownerFound(device: String)
    /// Publish the readings that waited, as far as `FleetGateway.admission` allows it.
    case publishHeldReadings
    /// Execute the request; then report `executed`.
    case execute(String, FleetRequest)
    /// Publish the response to the request.
    case respond(String, FleetAnswer)
    /// Drop the response to the request: another gateway has published one.
    case dropResponse(String)
    /// Answer the request with a failure: too many requests wait. Other gateways do not know the request.
    case refuse(FleetRequest)
    /// Take or renew the lock of the seat; then report `seated`.
    case takeSeat
    /// Record the requests at the seat; then report `recorded`.
    case record([String: FleetClaim])
    /// Record at the seat that the requests have been answered, in the place of their claims.
    case recordAnswers([String])
    /// Publish as the gateway from now on, all states first: no other process has its name.
    case appear
    /// Publish nothing from now on: another process has the name of the gateway.
    case vanish
    /// Store `FleetGateway.memory` before the next action: the epoch has changed.
    case store
    /// Publish an event about the fleet.
    case notify(FleetNotice)
}

/// The response to a request.
package enum FleetAnswer: Hashable, Sendable {
    /// The response of the gateway that has executed the request.
    case executed
    /// A failure: the process that had begun the request has ended, and may have executed it without a response.
    case interrupted(FleetRequest)
}

/// An event about the fleet that people may want to know.
package enum FleetNotice: Hashable, Sendable {
    /// The gateway follows another decider.
    case decider(String)
    /// The decider has buried a gateway.
    case memberLost(String)
    /// A buried gateway reports again.
    case memberBack(String)
    /// Another process has the name of this gateway.
    case nameTaken
    /// The configuration of a gateway has no device of a name that another one has.
    case unknownDevice(String, at: String, knownAt: String)
    /// The names or addresses of devices differ in the configurations of two gateways.
    case otherList(String, String)
}
