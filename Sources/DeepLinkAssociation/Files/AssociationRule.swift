import DeepLinkCore

/// One component of a file that is generated, before it is JSON.
struct AssociationRule {
    /// The pattern of the path.
    let path: String

    /// Whether what matches is kept from the app.
    var isExcluded = false

    /// Whether the path is compared as the URL spells it (Apple's `percentEncoded`); `nil` where it is as usual.
    var percentEncoded: Bool?

    /// Leaves out rules that one of the others covers: whatever begins with its text, up to a last `*`, it takes.
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
                // What is behind the stem is at least one character, as `?*` wants it.
                guard text.count < rule.path.utf8.count else { break }
                let stem = ByteText(String(decoding: text, as: UTF8.self))
                if stems.contains(stem), stem != own { return false }
            }
            return true
        }
    }

    /// What a rule's text begins with, where anything may follow that; only stems that end at a slash are looked for.
    private static func stem(of path: String) -> ByteText? {
        for ending in ["/?*", "/*"] where path.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            return ByteText(String(decoding: path.utf8.dropLast(ending.utf8.count - 1), as: UTF8.self))
        }
        return nil
    }
}
