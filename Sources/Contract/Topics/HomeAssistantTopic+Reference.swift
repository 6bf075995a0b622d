extension HomeAssistantTopic {
    package var reference: TopicReference {
        switch self {
        case .device:
            TopicReference(
                [pattern], .retained,
                """
                The discovery of a device with all its entities, with `discovery: device`. The gateway itself is the device \
                `bluefleet_gateway_GATEWAY`.
                """)
        case .component:
            TopicReference([pattern], .retained, "The discovery of one entity, with `discovery: component`.")
        case .status:
            TopicReference(
                [pattern], .other,
                "Home Assistant's own state. After `online` the gateway publishes everything retained again.",
                example: "online")
        }
    }
}
