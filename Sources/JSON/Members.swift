/// Named values in the order in which they were added.
///
/// Functions are inlinable: other rooms specialize them for their own kind of value.
package struct Members<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A name and its value.
    package struct Member: Hashable, Sendable {
        package let name: String
        package var value: Value

        @inlinable package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    // Most objects have about ten members: a linear search is faster than hashing.
    @usableFromInline var members: [Member] = []
    @usableFromInline static var few: Int { 16 }

    /// - Parameter capacity: The number of members for which space is reserved.
    @inlinable package init(capacity: Int = 0) {
        members.reserveCapacity(capacity)
    }

    /// Creates members from names and values; if a name is repeated, its last value is used.
    @inlinable package init(_ members: some Sequence<(String, Value)>) {
        guard members.underestimatedCount > Self.few else {
            for (name, value) in members { self[name] = value }
            return
        }
        var places: [String: Int] = [:]
        for (name, value) in members {
            if let place = places[name] {
                self.members[place].value = value
            } else {
                places[name] = self.members.count
                self.members.append(Member(name: name, value: value))
            }
        }
    }

    /// Creates members whose names are all different.
    @inlinable package init(distinct members: [Member]) {
        self.members = members
    }

    /// The value of the member with a name; nil if there is no such member.
    ///
    /// A new name is added at the end; setting nil removes the member.
    @inlinable package subscript(name: String) -> Value? {
        get {
            members.first { $0.name == name }?.value
        }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The names in the order of the members.
    @inlinable package var names: [String] {
        members.map(\.name)
    }
}

extension Members: ExpressibleByDictionaryLiteral {
    @inlinable package init(dictionaryLiteral members: (String, Value)...) {
        self.init(members)
    }
}

extension Members: RandomAccessCollection {
    @inlinable package var startIndex: Int { members.startIndex }
    @inlinable package var endIndex: Int { members.endIndex }
    @inlinable package subscript(index: Int) -> Member { members[index] }
}
