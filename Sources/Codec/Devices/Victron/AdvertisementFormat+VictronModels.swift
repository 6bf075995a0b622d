extension AdvertisementFormat {
    /// The models whose product numbers are known, sorted.
    static var victronModels: [String] { Set(VictronProducts.names.entries.map(\.name)).sorted() }
}
