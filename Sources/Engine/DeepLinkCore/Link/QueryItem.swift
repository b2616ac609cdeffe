/// One decoded query pair of a link.
package struct QueryItem: Hashable, Sendable {
    /// The decoded text before the first equals sign.
    package let name: String

    /// The decoded text after the first equals sign, or `nil` if the pair has none.
    package let value: String?

    /// Creates a pair from its decoded parts.
    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// Compares both parts byte by byte.
    package static func == (left: QueryItem, right: QueryItem) -> Bool {
        left.name.bytewise == right.name.bytewise && left.value?.bytewise == right.value?.bytewise
    }

    /// Hashes both parts byte by byte.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name.bytewise)
        hasher.combine(value?.bytewise)
    }
}

extension QueryItem {
    /// The pair as links print it: percent-encoded, and with an equals sign only before a value.
    package var encoded: String {
        let name = PercentEncoding.encode(name)
        return value.map { "\(name)=\(PercentEncoding.encode($0))" } ?? name
    }

    /// Returns an address with pairs at the end of its query, in front of its fragment.
    package static func appending(_ items: [QueryItem], to address: String) -> String {
        guard !items.isEmpty else { return address }
        let query = items.map(\.encoded).joined(separator: "&")
        let end = address.utf8.firstIndex(of: ASCII.hash) ?? address.endIndex
        let separator: String
        if let start = address.utf8[..<end].firstIndex(of: ASCII.question) {
            let last = address.utf8[..<end].last
            let isOpen = address.utf8.index(after: start) == end || last == ASCII.ampersand
            separator = isOpen ? "" : "&"
        } else {
            separator = "?"
        }
        return address[..<end] + separator + query + address[end...]
    }
}
