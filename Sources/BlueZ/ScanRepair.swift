/// What is done about a scan in which nothing is heard, the gentler first.
package enum ScanRepair: String, Sendable {
    case restartScan = "restart_scan"
    /// The adapter is switched off and on; not while it has links.
    case powerCycle = "power_cycle"
}
