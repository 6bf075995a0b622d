import Codec

extension Configuration {
    /// A format as it stands in the file: with the places of the names that it shows.
    struct FormatEntry {
        let format: Format
        let names: [Located<String>]
    }
}
