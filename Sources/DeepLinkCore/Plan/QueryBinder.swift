/// Hands the query pairs of one link to the destinations of its stack, each occurrence once and in order.
struct QueryBinder {
    private let link: DeepLink
    private let pairs: [LinkPair]
    private var isTaken: [Bool]

    init(_ link: DeepLink) {
        self.link = link
        pairs = link.pairRanges
        isTaken = [Bool](repeating: false, count: pairs.count)
    }

    /// The first occurrence of a key that no destination has taken.
    func next(_ key: String) -> LinkPair? {
        index(of: key).map { pairs[$0] }
    }

    /// Takes the first occurrence of a key that no destination has taken.
    @discardableResult
    mutating func take(_ key: String) -> LinkPair? {
        guard let index = index(of: key) else { return nil }
        isTaken[index] = true
        return pairs[index]
    }

    /// The pairs that no destination has taken, decoded.
    var unused: [QueryItem] {
        guard isTaken.contains(false) else { return [] }
        return zip(link.queryItems, isTaken).filter { !$0.1 }.map(\.0)
    }

    private func index(of key: String) -> Int? {
        pairs.indices.first { index in
            let name = pairs[index].name
            return !isTaken[index] && DecodedBytes(link.bytes[name.start..<name.end]).elementsEqual(key.utf8)
        }
    }
}
