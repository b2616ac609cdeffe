import DeepLinkCore

/// The reader of a route's `image`: an address, or a mapping with its size and its description.
struct ImageReader {
    /// The supported keys.
    private static let keys = ["url", "width", "height", "alt"]

    /// The largest width or height, in pixels.
    private static let maximumSide = 20_000

    let addresses: AddressRules

    /// Reads the value of `image`.
    ///
    /// - Parameters:
    ///   - reader: the mapping that has the key.
    ///   - subject: the declaration, for messages.
    ///   - check: checks the placeholders of the description.
    /// - Returns: the picture, or `nil` if it is absent or its address is invalid.
    func read(_ reader: MappingReader, subject: String, check: (LocalizedText?, YAMLMark?) -> Void) -> PageImage? {
        guard let node = reader["image"] else { return nil }
        guard node.pairs != nil else {
            return reader.locatedString("image").flatMap { address($0, key: "image", subject: subject) }
                .map { PageImage($0) }
        }
        let subject = "`image` of \(subject)"
        let mapping = MappingReader(node, subject: subject, keys: Self.keys, log: addresses.log)
        if mapping["url"] == nil {
            addresses.log.report(
                .missingKey,
                at: node.mark,
                message: "\(subject.firstLetterUppercased) has no `url`.",
                hint: "Add `url: https://www.example.com/p.png`."
            )
        }
        let alternative = LocalizedTextReader(log: addresses.log).read("alt", of: mapping, subject: subject)
        check(alternative, mapping["alt"]?.mark)
        let sides = ["width", "height"].map { side($0, of: mapping, subject: subject) }
        return mapping.locatedString("url").flatMap { address($0, key: "url", subject: subject) }
            .map { PageImage($0, width: sides[0], height: sides[1], alternative: alternative) }
    }

    private func address(_ text: Located<String>, key: String, subject: String) -> String? {
        addresses.pattern(text, key: key, subject: subject) { _ in nil }?.template.source
    }

    private func side(_ key: String, of mapping: MappingReader, subject: String) -> Int? {
        mapping.integer(key, in: 1...Self.maximumSide, subject: subject)
    }
}

extension MappingReader {
    /// Returns the whole number of a key.
    ///
    /// A number outside the range is reported, like any other value.
    func integer(_ key: String, in range: ClosedRange<Int>, subject: String) -> Int? {
        guard let text = locatedString(key) else { return nil }
        if text.value.utf8.allSatisfy(ASCII.isDigit), let number = Int(text.value), range.contains(number) {
            return number
        }
        report(
            .invalidValue,
            at: text.location,
            message: "`\(key)` of \(subject) is `\(text.value)`.",
            hint: "Write a whole number from \(range.lowerBound) to \(range.upperBound)."
        )
        return nil
    }
}
