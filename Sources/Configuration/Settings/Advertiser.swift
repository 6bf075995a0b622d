package import Bluetooth
package import Codec

extension Configuration {
    /// An advertisement that the gateway sends: an entry of the section `advertisers`.
    package struct Advertiser: Sendable, Equatable {
        package enum Source: Sendable, Equatable {
            case fixed(Value)
            /// The newest message on a topic of the broker; `member` names a member of its JSON, with dots between levels.
            case topic(String, member: String?)
        }

        /// One value of the advertisement.
        package struct Object: Sendable, Equatable {
            /// The name of the BTHome object.
            package let name: String
            package let source: Source

            package init(_ name: String, _ source: Source) {
                self.name = name
                self.source = source
            }
        }

        /// The greatest number of advertisers; adapters support about 5.
        package static let maximumCount = 16

        package let name: String
        /// The advertised name of the gateway; nil: none.
        package let localName: String?
        /// The adapter that sends; nil: the first one that is on.
        package let adapter: Address?
        package let interval: Duration
        /// The age from which on a value is no longer sent; nil: any age.
        package let maximumAge: Duration?
        package let objects: [Object]

        package init(
            name: String, localName: String?, adapter: Address?, interval: Duration, maximumAge: Duration?,
            objects: [Object]
        ) {
            self.name = name
            self.localName = localName
            self.adapter = adapter
            self.interval = interval
            self.maximumAge = maximumAge
            self.objects = objects
        }

        /// The topics of its values.
        package var topics: Set<String> {
            Set(
                objects.compactMap { object in
                    if case .topic(let topic, _) = object.source { topic } else { nil }
                })
        }
    }
}
