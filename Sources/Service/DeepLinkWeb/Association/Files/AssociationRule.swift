import DeepLinkCore

/// One component of a generated file, before its conversion to JSON.
struct AssociationRule {
    /// The pattern of the path, or `nil` for any.
    let path: String?

    /// The pattern of the fragment, or `nil` for any fragment or none.
    var fragment: String?

    /// A key of the query that matching URLs have with a value, or `nil` for any query.
    var key: String?

    /// Whether the rule excludes matching URLs from the app.
    var isExcluded = false

    /// Whether the path is compared percent-encoded (Apple's `percentEncoded`), or `nil` for the default.
    var percentEncoded: Bool?

    /// Returns the rules of shapes in their order, without the rules that another covers.
    ///
    /// - Parameters:
    ///   - order: the shapes.
    ///   - slashes: the rules for repeated slashes, since links ignore them (decision record 2).
    ///   - further: the rules of links without a shape.
    ///   - excluding: returns the rules that exclude a shape from the app.
    ///   - opening: returns the rules that open a shape in the app.
    /// - Returns: the rules.
    static func all(
        _ order: ShapeOrder,
        slashes: [AssociationRule],
        further: [AssociationRule] = [],
        excluding: (PlacedShape) -> [AssociationRule],
        opening: (PlacedShape) -> [AssociationRule]
    ) -> [AssociationRule] {
        var first = order.first.flatMap(opening)
        let excluded = order.excluded.flatMap(excluding)
        var rest = order.rest.flatMap(opening) + further
        // The exclusions could match these links, so their rules come first.
        if excluded.isEmpty { rest += slashes } else { first = slashes + first }
        var seen: Set<ByteText> = []
        let keyed = order.keyed
            .flatMap { shape, key in
                excluding(shape)
                    .map { rule in
                        var rule = rule
                        rule.key = key
                        return rule
                    }
            }
            .filter { seen.insert("\($0.key ?? "")?\($0.text)".bytewise).inserted }
        return keyed + withoutCovered(first) + withoutCovered(excluded) + withoutCovered(rest)
    }

    /// Removes rules that another covers.
    ///
    /// A rule that ends in `*` matches every path with the text before it, or every fragment after the same path.
    static func withoutCovered(_ rules: [AssociationRule]) -> [AssociationRule] {
        var stems: Set<ByteText> = []
        for rule in rules {
            if let stem = stem(of: rule.text) { stems.insert(stem) }
        }
        var seen: Set<ByteText> = []
        return rules.filter { rule in
            guard seen.insert(rule.text.bytewise).inserted else { return false }
            guard !stems.isEmpty else { return true }
            let own = stem(of: rule.text)
            var text: [UInt8] = []
            for byte in rule.text.utf8 {
                text.append(byte)
                // `?*` needs at least one character behind the stem.
                guard text.count < rule.text.utf8.count else { break }
                let stem = ByteText(String(decoding: text, as: UTF8.self))
                if stems.contains(stem), stem != own { return false }
            }
            return true
        }
    }

    /// The pattern of the path, or both patterns.
    private var text: String { fragment.map { "\(path ?? "")#\($0)" } ?? path ?? "" }

    /// Returns the prefix of a pattern before a final wildcard.
    ///
    /// Only prefixes that end at a slash count.
    private static func stem(of text: String) -> ByteText? {
        for ending in ["/?*", "/*"] where text.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            return ByteText(String(decoding: text.utf8.dropLast(ending.utf8.count - 1), as: UTF8.self))
        }
        return nil
    }
}
