@testable import Contract
import JSON
import System
import Testing

@Suite struct MQTTReferenceTests {
    @Test(arguments: GatewayEvent.Kind.allCases)
    func `the example of an event has the type that it documents, and only documented members`(
        kind: GatewayEvent.Kind
    ) throws {
        let members = try #require(kind.example.json(at: .init(milliseconds: 0)).object)
        #expect(members["type"]?.string == kind.rawValue)
        for member in members { #expect(GatewayEvent.Kind.members[member.name] != nil, "\(member.name)") }
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

    @Test func `the documentation names every verb, event and error code`() {
        let text = MQTTReference.markdown
        let names =
            GatewayCommand.Verb.allCases.map(\.rawValue) + DeviceCommand.Verb.allCases.map(\.rawValue)
            + GatewayEvent.Kind.allCases.map(\.rawValue) + RequestError.Code.allCases.map(\.rawValue)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }
}
