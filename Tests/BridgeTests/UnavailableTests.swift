import Bluetooth
import Configuration
import Testing

@testable import Bridge

/// Configured uses that a device does not support.
@Suite struct UnavailableTests {
    struct Example: Sendable {
        let keys: String
        let flags: CharacteristicProperties
        let sentences: [String]

        init(_ keys: String, _ flags: CharacteristicProperties, _ sentences: String...) {
            (self.keys, self.flags, self.sentences) = (keys, flags, sentences)
        }
    }

    @Test(arguments: [
        Example("subscribe: true, read: 1h, write: true", [.read, .write, .indicate]),
        Example("subscribe: true", [.read], "subscribe: the device does not notify this characteristic"),
        Example("read: on connect", [.notify], "read: this characteristic of the device is not readable"),
        Example("write: true", [.read], "write: this characteristic of the device is not writable"),
        Example(
            "write: true", [.writeWithoutResponse],
            "write: the device accepts writes without response only: set write: without response"),
        Example("write: without response", [.writeWithoutResponse]),
        Example("write: without response", [.authenticatedSignedWrites]),
        Example(
            "write: without response", [.write], "write: the device accepts writes with response only: set write: true"),
        Example("write: without response", [.read], "write: this characteristic of the device is not writable"),
        Example("write: reliable", [.write], "write: the device does not support reliable writes: set write: true"),
        Example("write: reliable", [.write, .reliableWrite]),
    ])
    func `each configured use without the required flag has a sentence`(_ example: Example) throws {
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor: {address: C0:00:00:00:00:01, characteristics: {temperature: {\(example.keys)}}}
                """)
        #expect(configuration.devices[0].characteristics[0].unavailable(in: example.flags) == example.sentences)
    }
}
