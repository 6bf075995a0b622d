import Configuration
import Contract
import MQTT

extension Configuration {
    /// The topic on which Home Assistant publishes its status; nil without discovery.
    var homeAssistantStatus: Topic? {
        homeAssistant.discovery == .none ? nil : try? HomeAssistantTopic.status(prefix: homeAssistant.prefix)
    }
}
