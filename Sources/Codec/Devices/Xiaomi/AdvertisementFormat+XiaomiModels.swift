extension AdvertisementFormat {
    /// The models whose product numbers are known, sorted.
    static var xiaomiModels: [String] { Set(XiaomiProducts.models.values).sorted() }
}
