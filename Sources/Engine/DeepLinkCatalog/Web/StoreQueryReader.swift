import DeepLinkCore

/// The reader of `storeQuery`: the query that an app's store links carry.
struct StoreQueryReader {
    let log: IssueLog

    /// The maximum number of pairs in a query.
    private static let maximumCount = 16

    /// Reads the mapping from keys to texts.
    ///
    /// - Parameters:
    ///   - reader: the mapping that has the key.
    ///   - subject: the app, for messages.
    ///   - reserved: the keys that the server writes.
    /// - Returns: the query, or an empty query if the key is absent.
    func read(_ reader: MappingReader, subject: String, reserved: [String]) -> StoreQuery {
        guard let node = reader["storeQuery"] else { return .none }
        let pairs = MappingReader.pairs(of: node, subject: "`storeQuery` of \(subject)", log: log)
        if pairs.count > Self.maximumCount {
            log.report(
                .invalidApp,
                at: node.mark,
                message: "`storeQuery` of \(subject) has \(pairs.count) keys.",
                hint: "Name at most \(Self.maximumCount)."
            )
        }
        let items = pairs.compactMap { key, value -> QueryItem? in
            if reserved.contains(where: { $0.bytewise == key.value.bytewise }) || key.value.isEmpty {
                log.report(
                    .invalidApp,
                    at: key.mark,
                    message: "`\(key.value)` can't be a key of `storeQuery`.",
                    hint: reserved.isEmpty
                        ? "Write a key such as `pt`." : "Remove it: Waymark writes \(reserved.joined(separator: ", "))."
                )
                return nil
            }
            guard let text = value.text, !value.isNull else {
                log.report(
                    .wrongType,
                    at: value.mark,
                    message: "`\(key.value)` of `storeQuery` is \(value.kindInWords).",
                    hint: "Write a text."
                )
                return nil
            }
            return QueryItem(name: key.value, value: text)
        }
        return StoreQuery(items)
    }
}
