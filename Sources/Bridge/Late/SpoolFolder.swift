package import EventLoop
package import Spool
import System

/// The folder of the spool.
package enum SpoolFolder {
    /// Returns the path of the spool's folder in a state folder.
    package static func path(in stateFolder: String) -> String { "\(stateFolder)/spool" }
}

extension ClockReading {
    /// Returns the present clock of a loop.
    package static func present(on loop: EventLoop) -> ClockReading {
        ClockReading(
            boot: Boot.identifier, time: loop.timestamp, moment: loop.now,
            isSynchronized: SystemClock.isSynchronized ?? true)
    }
}
