import JSON
import System
import Testing

@testable import Contract

@Suite struct MQTTReferenceTests {
    @Test(arguments: GatewayEvent.Kind.allCases)
    func `the examples of an event have the type that they document`(kind: GatewayEvent.Kind) {
        #expect(!kind.reference.examples.isEmpty)
        for example in kind.reference.examples {
            #expect(example.json(at: Example.time)["type"]?.string == kind.rawValue)
        }
    }

    @Test(arguments: GatewayCommand.Verb.allCases)
    func `the example of a request to the gateway is valid`(verb: GatewayCommand.Verb) throws {
        let parameters = try #require(try JSON(parsing: verb.reference.request).object)
        _ = try GatewayCommand(verb: verb.rawValue, parameters)
        try Self.check(verb.reference, parameters)
    }

    @Test(arguments: DeviceCommand.Verb.allCases)
    func `the example of a request to a device is valid`(verb: DeviceCommand.Verb) throws {
        let parameters = try #require(try JSON(parsing: verb.reference.request).object)
        _ = try DeviceCommand(verb: verb.rawValue, parameters)
        try Self.check(verb.reference, parameters)
    }

    private static func check(_ reference: VerbReference, _ parameters: JSON.Object) throws {
        #expect(try JSON(parsing: reference.data).object != nil)
        for parameter in reference.parameters where parameter.isRequired {
            #expect(parameters[parameter.name] != nil, "\(parameter.name)")
        }
    }

    @Test func `the example of each topic is valid JSON`() throws {
        for topic in TopicReference.gateway + TopicReference.device {
            if let example = topic.example { #expect(try JSON(parsing: example).object != nil, "\(topic.topics)") }
        }
    }

    @Test(arguments: GatewayTopic.allCases.map(\.reference) + DeviceTopic.allCases.map(\.reference))
    func `the documented members of a topic occur in its example`(topic: TopicReference) throws {
        let example = try #require(topic.example)
        for member in topic.members {
            let name = member.name.split(separator: ".").last.map(String.init) ?? member.name
            // These members are present only in certain states.
            if ["until", "attempts", "reason", "identity", "advertisement", "derived"].contains(name) { continue }
            #expect(example.contains("\"\(name)\":"), "\(topic.topics): \(member.name)")
        }
    }

    @Test func `the documentation names every topic of the gateway and of a device`() {
        let text = MQTTReference.markdown
        for topic in GatewayTopic.allCases { #expect(text.contains("`PREFIX/bridge/GATEWAY/\(topic.name)`")) }
        for topic in DeviceTopic.allCases { #expect(text.contains("`PREFIX/DEVICE/\(topic.name)`")) }
        #expect(text.contains("`PREFIX/bridge/GATEWAY/late/DEVICE/NAME`"))
        #expect(text.contains("`PREFIX/bridge/GATEWAY/late/event`"))
    }

    @Test func `each link of the documentation leads to one section`() {
        let lines = MQTTReference.markdown.split(separator: "\n")
        let anchors = lines.filter { $0.hasPrefix("#") }.map { line in
            Markdown.anchor(of: String(line.drop { $0 == "#" }.dropFirst()))
        }
        #expect(Set(anchors).count == anchors.count)
        let targets = MQTTReference.markdown.split(separator: "](#").dropFirst().map { $0.prefix { $0 != ")" } }
        for target in targets { #expect(anchors.contains(String(target)), "\(target)") }
    }

    @Test func `the documentation names every verb, event and error code`() {
        let text = MQTTReference.markdown
        let names =
            GatewayCommand.Verb.allCases.map(\.rawValue) + DeviceCommand.Verb.allCases.map(\.rawValue)
            + GatewayEvent.Kind.allCases.map(\.rawValue) + RequestError.Code.allCases.map(\.rawValue)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }
}
