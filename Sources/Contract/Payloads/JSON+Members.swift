import Bluetooth
import JSON
import System

extension JSON {
    /// Returns the member with a name as a time; nil if it is missing or not a time.
    func time(_ name: String) -> Timestamp? { self[name]?.string.flatMap { Timestamp($0) } }

    /// Returns the member with a name as an address; nil if it is missing or not an address.
    func address(_ name: String) -> Address? { self[name]?.string.flatMap { Address($0) } }

    /// Returns the elements of the member with a name; nil if it is not an array, or if `make` rejects an element.
    func list<Element>(_ name: String, _ make: (JSON) -> Element?) -> [Element]? {
        guard let array = self[name]?.array else { return nil }
        let elements = array.compactMap(make)
        return elements.count == array.count ? elements : nil
    }
}
