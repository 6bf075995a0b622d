/// How many links an adapter has, and how many more are wanted.
package struct ConnectionUse: Hashable, Sendable {
    package let adapter: Adapter
    /// Links that are up or being made.
    package let connections: Int
    /// Peripherals that wait for a slot.
    package let waiting: Int
    /// How many links there may be; nil: no limit is known.
    package let capacity: Int?
}
