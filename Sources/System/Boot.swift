/// The present start of the machine.
package enum Boot {
    /// The kernel's random identifier of this start (random(4)); empty if it cannot be read.
    package static let identifier =
        TextFile.read("/proc/sys/kernel/random/boot_id")?.split(whereSeparator: \.isWhitespace).first.map(String.init)
        ?? ""
}
