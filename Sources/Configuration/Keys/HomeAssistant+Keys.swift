extension Configuration.HomeAssistant {
    enum Keys {
        static let discovery = Key(
            "discovery", Kind<Discovery>.word, default: "device",
            "How entities are announced: one message per device, or per entity (component: openHAB, and Home Assistant "
                + "before 2024.11), or none.")
        static let prefix = Key("prefix", .topic, default: "homeassistant", "Where discovery is listened for.")

        static let section = Section("home_assistant", discovery, prefix)
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        Configuration.HomeAssistant(discovery: reader[Keys.discovery], prefix: reader[Keys.prefix])
    }
}
