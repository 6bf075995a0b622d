import Codec

extension Configuration {
    /// A format of advertisements as it stands in the file: with the places of its names, each of which becomes a topic.
    struct AdvertisementEntry {
        let format: AdvertisementFormat
        let names: [Located<String>]
    }
}
