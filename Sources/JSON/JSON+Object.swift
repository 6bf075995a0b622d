extension JSON {
    /// The members of an object, in the order in which they were added.
    package struct Object: Hashable, Sendable {
        package struct Member: Hashable, Sendable {
            package let name: String
            package var value: JSON
        }

        // Most objects have about ten members: a linear search is faster than hashing.
        private var members: [Member] = []
        private static let few = 16

        package init() {}

        /// Creates an object.
        ///
        /// If several members have the same name, the object contains the value of the last one.
        package init(_ members: some Sequence<(String, JSON)>) {
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

        /// Creates an object of members whose names are all different.
        package init(distinct members: [Member]) {
            self.members = members
        }

        package subscript(name: String) -> JSON? {
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

        package var names: [String] {
            members.map(\.name)
        }
    }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSON)...) {
        self.init(members)
    }
}

extension JSON.Object: RandomAccessCollection {
    package var startIndex: Int { members.startIndex }
    package var endIndex: Int { members.endIndex }
    package subscript(index: Int) -> Member { members[index] }
}
