extension Configuration {
    /// The configuration of a gateway without Bluetooth that decides for others, with rank 0.
    package var ofDecider: Configuration {
        var configuration = self
        configuration.share = share?.with(rank: 0)
        configuration.onlyDecides = true
        configuration.fleet = []
        configuration.advertisers = []
        configuration.homeAssistant = HomeAssistant(discovery: .none, prefix: homeAssistant.prefix)
        return configuration
    }
}
