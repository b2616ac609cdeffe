import DeepLinkCore

/// The reader of `from`: the query key that holds a parameter's value, or a list of keys.
///
/// The first key that a link has counts.
struct QueryKeysReader {
    /// The maximum number of keys of one parameter, because each link is searched for all of them.
    static let maximumCount = 8

    /// The parameter's name.
    let name: String

    let reader: MappingReader

    /// Reads the keys, the printed key first, or returns an empty list if `from` is absent.
    func read() -> [String] {
        guard let node = reader["from"] else { return [] }
        guard node.items != nil else {
            return checked(reader.locatedString("from").map { [$0] } ?? [])
        }
        if node.items?.isEmpty == true {
            let location = reader.log.location(node.mark)
            report("reads no key: its `from` is empty.", at: location, hint: "Name a query key, or remove `from`.")
        }
        return checked(reader.strings("from") ?? [])
    }

    private func checked(_ keys: [Located<String>]) -> [String] {
        var known: Set<ByteText> = []
        for key in keys {
            if key.value.isEmpty {
                report("reads an empty key.", at: key.location, hint: "Name the query key.")
            } else if !known.insert(key.value.bytewise).inserted {
                report("reads the key `\(key.value)` twice.", at: key.location, hint: "Remove one of the two.")
            }
        }
        if let surplus = keys.dropFirst(Self.maximumCount).first {
            report("reads \(keys.count) keys.", at: surplus.location, hint: "Name \(Self.maximumCount) keys at most.")
        }
        return keys.prefix(Self.maximumCount).map { $0.value }
    }

    private func report(_ message: String, at location: SourceLocation, hint: String) {
        reader.log.report(.invalidParameter, at: location, message: "The parameter `\(name)` \(message)", hint: hint)
    }
}
