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
    let log: IssueLog

    /// Reads the keys, the printed key first, or returns an empty list if `from` is absent.
    func read() -> [String] {
        guard let node = reader["from"] else { return [] }
        guard node.items != nil else {
            let key = reader.string("from")
            if key?.isEmpty == true {
                report(log.location(node.mark), message: "reads an empty key.", hint: "Name the query key.")
            }
            return key.map { [$0] } ?? []
        }
        let keys = reader.strings("from") ?? []
        if node.items?.isEmpty == true {
            report(
                log.location(node.mark),
                message: "reads no key: its `from` is empty.",
                hint: "Name a query key, or remove `from`."
            )
        }
        var known: Set<ByteText> = []
        for key in keys {
            if key.value.isEmpty {
                report(key.location, message: "reads an empty key.", hint: "Name the query key.")
            } else if !known.insert(key.value.bytewise).inserted {
                report(key.location, message: "reads the key `\(key.value)` twice.", hint: "Remove one of the two.")
            }
        }
        if keys.count > Self.maximumCount {
            report(
                keys[Self.maximumCount].location,
                message: "reads \(keys.count) keys.",
                hint: "Name \(Self.maximumCount) keys at most."
            )
        }
        return keys.prefix(Self.maximumCount).map { $0.value }
    }

    private func report(_ location: SourceLocation, message: String, hint: String) {
        log.report(.invalidParameter, at: location, message: "The parameter `\(name)` \(message)", hint: hint)
    }
}
