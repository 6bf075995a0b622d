import System

/// The durations and margins of the rules.
enum FleetConstants {
    // A lease is shorter than the silence after which a gateway is buried: an owner stops 1 s before another one begins.
    // So the clocks of gateways may differ by 28 % in their rates.

    /// The time between two reports.
    static let report = Duration.seconds(1)
    /// The time after the newest acknowledged report in which no other gateway owns a device: less than `silence`, because
    /// clocks differ in their rates.
    static let undisputed = Duration.milliseconds(3250)
    /// The same after the end of the connection to the broker: less than `will`.
    static let undisputedAway = Duration.milliseconds(900)
    /// The time after which the decider knows that the owner of a device receives it: a look, a report on its way, and
    /// 500 ms for delays.
    static let unheard = Duration.seconds(8)
    /// The time between two decisions.
    static let decision = Duration.milliseconds(500)
    /// The time that an owner acts after it has sent the newest acknowledged report: a report, a decision and 1 s for delays.
    static let lease = Duration.milliseconds(2500)
    /// A gateway or a decider that has not been received for this time has failed.
    static let silence = Duration.milliseconds(3500)
    /// The time that the decider collects before it publishes a decision.
    static let gathering = Duration.milliseconds(10)
    /// A gateway begins to read all reports when it has received no decision for this time.
    static let absence = Duration.milliseconds(1500)
    /// The silence of a decider counts only while the broker returns the gateway's own reports within this time.
    ///
    /// It is a report and 500 ms. After a stall of the broker, the decisions of another node may arrive later than these
    /// reports.
    static let echo = Duration.milliseconds(1500)
    /// The time after a will: systemd restarts a process faster, and that is no failure.
    static let will = Duration.seconds(1)
    /// A decider that was disconnected listens for this time before it decides again: less than `succession`, so it is the
    /// first, and long enough to receive another decider.
    static let formerDecider = Duration.milliseconds(1250)
    /// The additional time of each further successor: beginning to decide takes about 100 ms.
    static let succession = Duration.milliseconds(1500)
    /// A process that detects another one with its name does nothing for this time.
    static let shadow = Duration.seconds(4)
    /// A decider stops if etcd has not answered for this time; the lock of etcd expires after 3 s.
    static let seat = Duration.seconds(2)
    /// A gateway that renews the seat within this time has kept it: the lock of etcd expires after 3 s.
    static let seatPause = Duration.milliseconds(2500)
    /// The time between two renewals of the seat.
    static let seatRenewal = Duration.milliseconds(450)
    /// In a fleet without owners, and for a new device, the time before the assignment: gateways measure their signal strengths.
    static let listening = Duration.seconds(6)
    /// A gateway disconnects from a device that it does not own after this time.
    static let strayLink = Duration.seconds(6)
    /// A gateway without its broker or its decider disconnects from all devices after this time, so that others can connect.
    static let absentLinks = Duration.seconds(30)
    /// It connects again after this time to devices that still advertise, because no other gateway has connected.
    static let absentReturn = Duration.seconds(15)
    /// The number of stamps that a gateway reports to a new decider, the newest ones: hundreds of gateways may do so at once.
    static let recollection = 500
    /// The time between two checks of leases, silences and requests.
    static let watch = Duration.milliseconds(250)
    /// A process that handles no event for this time was paused: `watch` is shorter.
    static let pause = Duration.milliseconds(500)
    /// The time between two looks at the signal strengths.
    static let look = Duration.seconds(5)
    /// The time before the decider or a gateway repeats a message.
    static let repetition = Duration.milliseconds(900)
    /// The shortest time between two full reports about longer lists of devices: for each device, and at most.
    ///
    /// A gateway adopts devices one after the other, and each full report has all of them.
    static let longerList = (device: Duration.milliseconds(5), most: Duration.seconds(10))
    /// The shortest time between two demands for a full report.
    static let demand = Duration.milliseconds(500)

    /// The weight of a new value in the average of a signal strength (Home Assistant's habluetooth).
    static let weight = 0.3
    /// The weight of a new value in the slow average, over about 4 minutes.
    static let slowWeight = 0.02
    /// The signal strength that counts for a device that is not received, in dBm.
    static let floor = -100.0
    /// The change of a signal strength that a gateway reports, in dB.
    static let change = 5.0
    /// The number of looks without an advertisement after which a device is not received: 60 s.
    static let missedLooks = 12
    /// The deduction for each failed attempt to connect, in dB.
    static let failedConnect = 8.0
    /// The number of failed attempts that count.
    static let failedConnects = 3

    /// The advantage for a fast move, in dB (habluetooth), and for how long.
    static let fastMargin = 16.0
    static let fastTime = Duration.milliseconds(9800)
    /// The advantage for a slow move, in dB, and the shortest time since the last assignment.
    static let slowMargin = 6.0
    static let slowTime = Duration.seconds(300)
    /// The number of slow moves per look.
    static let slowMoves = 4
    /// The additional advantage for a move back to the last owner, in dB, and for how long.
    static let returnMargin = 6.0
    static let returnTime = Duration.seconds(1800)

    /// The time after which the decider passes a request to the owner of its device, doubled each time.
    static let order = Duration.seconds(1)
    /// The same for a request that a process had begun: it may be about to answer.
    static let interruptedOrder = Duration.milliseconds(500)
    /// A gateway reports a request to the decider that no gateway has begun for this time.
    static let unknownRequest = Duration.seconds(2)
    /// A gateway forgets a request of another gateway after its end and this time.
    static let requestGrace = Duration.seconds(60)
    /// A gateway remembers for this time that a request has been answered.
    static let requestMemory = Duration.seconds(180)

    /// A key whose epoch is greater by more than this is ignored while a decider is received.
    static let epochs = 1000
}
