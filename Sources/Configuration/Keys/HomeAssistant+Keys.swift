extension Configuration.HomeAssistant {
    enum Keys {
        static let discovery = Key(
            "discovery", Kind<Discovery>.word, default: "device",
            "How devices are announced: device (one message per device), component (one message per entity, for openHAB "
                + "and Home Assistant before 2024.11), or none.")
        static let prefix = Key("prefix", .topic, default: "homeassistant", "The first levels of the discovery topics.")

        static let section = Section(
            "home_assistant", discovery, prefix,
            advice: [
                "enabled": "write discovery: device, or discovery: none",
                "enable": "write discovery: device, or discovery: none",
                "status_topic": "it is PREFIX/status: remove the key, or change prefix",
                "birth": "it is PREFIX/status: remove the key, or change prefix",
                "birth_topic": "it is PREFIX/status: remove the key, or change prefix",
                "retain": "the discovery is always retained: remove the key",
                "discovery_topic": "did you mean 'prefix'?", "discovery_prefix": "did you mean 'prefix'?",
                "topic": "did you mean 'prefix'?",
            ])
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        Configuration.HomeAssistant(discovery: reader[Keys.discovery], prefix: reader[Keys.prefix])
    }
}
