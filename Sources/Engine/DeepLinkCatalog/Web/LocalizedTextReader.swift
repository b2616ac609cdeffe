import DeepLinkCore

/// The reader of texts in one or several languages: a text, or a mapping from tags to texts.
struct LocalizedTextReader {
    let log: IssueLog

    /// Reads the value of a key.
    func read(_ key: String, of reader: MappingReader) -> LocalizedText? {
        guard let node = reader[key] else { return nil }
        guard let pairs = node.pairs else { return reader.string(key).map { LocalizedText($0) } }
        let versions = pairs.compactMap { pair -> LocalizedText.Version? in
            if !Self.isTag(pair.key) {
                log.report(
                    .invalidWeb,
                    at: pair.mark,
                    message: "`\(pair.key)` isn't a language tag.",
                    hint: "Write tags such as `en`, `de-AT` or `ar`; the first is the default."
                )
                return nil
            }
            let subject = "`\(key)` of \(reader.subject) in `\(pair.key)`"
            return log.text(of: pair.value, subject: subject, hint: "Write a text.")
                .map { LocalizedText.Version(language: pair.key, text: $0) }
        }
        if pairs.isEmpty {
            log.report(
                .invalidWeb,
                at: node.mark,
                message: "`\(key)` of \(reader.subject) names no language.",
                hint: "Write a text, or a mapping from tags to texts: `{ en: …, de: … }`."
            )
        }
        return LocalizedText(versions)
    }

    /// Returns whether a text is a language tag: letters, then subtags of letters and digits (RFC 5646 §2.1).
    static func isTag(_ text: String) -> Bool {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = subtags.first, (2...8).contains(language.count), language.allSatisfy(ASCII.isLetter) else {
            return false
        }
        return subtags.dropFirst()
            .allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) } }
    }
}
