/// What the parts of one advertisement say together.
package struct AdvertisementContents: Hashable, Sendable {
    /// One for each part that can be read.
    package let readings: [AdvertisementReading]
    /// Why another part was not read: its key is missing or wrong, or it came before; nil if there is none.
    package let refusal: AdvertisementError?
}
