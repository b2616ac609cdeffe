import DeepLinkCore

/// One component of a generated file, before its conversion to JSON.
struct AssociationRule {
    /// The pattern of the path.
    let path: String

    /// Whether the rule excludes matching URLs from the app.
    var isExcluded = false

    /// Whether the path is compared percent-encoded (Apple's `percentEncoded`); `nil` for the default.
    var percentEncoded: Bool?

    /// Removes rules that another covers: one that ends in `*` matches every path with the text before it.
    static func withoutCovered(_ rules: [AssociationRule]) -> [AssociationRule] {
        var stems: Set<ByteText> = []
        for rule in rules {
            if let stem = stem(of: rule.path) { stems.insert(stem) }
        }
        var seen: Set<ByteText> = []
        return rules.filter { rule in
            guard seen.insert(rule.path.bytewise).inserted else { return false }
            guard !stems.isEmpty else { return true }
            let own = stem(of: rule.path)
            var text: [UInt8] = []
            for byte in rule.path.utf8 {
                text.append(byte)
                // `?*` needs at least one character behind the stem.
                guard text.count < rule.path.utf8.count else { break }
                let stem = ByteText(String(decoding: text, as: UTF8.self))
                if stems.contains(stem), stem != own { return false }
            }
            return true
        }
    }

    /// Returns the prefix of a rule's path before a final wildcard; only prefixes that end at a slash are searched.
    private static func stem(of path: String) -> ByteText? {
        for ending in ["/?*", "/*"] where path.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            return ByteText(String(decoding: path.utf8.dropLast(ending.utf8.count - 1), as: UTF8.self))
        }
        return nil
    }
}
