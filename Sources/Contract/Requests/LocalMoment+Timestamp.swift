package import Codec
package import System

extension LocalMoment {
    /// Creates a moment in the time zone of the machine.
    package init(_ moment: Timestamp) {
        let offset = LocalOffset(at: moment)
        self.init(milliseconds: Int(moment.milliseconds), offset: offset.total, daylight: offset.daylight)
    }
}
