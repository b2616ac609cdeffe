extension QueryItem {
    /// The pair as links print it: percent-encoded, without an equals sign if it has no value.
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
