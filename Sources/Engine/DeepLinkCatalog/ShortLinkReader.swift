import DeepLinkCore

/// The reader of a route's `shortLink`: the terms of the short links to the route.
struct ShortLinkReader {
    /// The key of routes.
    static let key = "shortLink"

    private static let keys = ["length", "within"]

    let log: IssueLog

    /// Reads the mapping.
    func read(_ node: YAMLNode, subject: String) -> ShortLinkTerms {
        let reader = MappingReader(node, subject: "`\(Self.key)` of \(subject)", keys: Self.keys, log: log)
        return ShortLinkTerms(length: length(reader), life: life(reader))
    }

    private func length(_ reader: MappingReader) -> Int? {
        guard let text = reader.locatedString("length") else { return nil }
        if let length = DecimalText.parseInt(text.value.utf8), ShortLinkTerms.lengths.contains(length) {
            return length
        }
        log.report(
            .invalidValue,
            at: text.location,
            message: "`\(text.value)` isn't the length of a code.",
            hint:
                "Write a whole number from \(ShortLinkTerms.lengths.lowerBound) to \(ShortLinkTerms.lengths.upperBound)."
        )
        return nil
    }

    private func life(_ reader: MappingReader) -> LinkLife? {
        guard let text = reader.locatedString("within") else { return nil }
        if let life = LinkLife(text.value) { return life }
        log.report(
            .invalidValue,
            at: text.location,
            message: "`\(text.value)` isn't a span of time.",
            hint: "Write a whole number with a unit, `30d`: w, d, h, m or s, and at most a hundred years."
        )
        return nil
    }
}
