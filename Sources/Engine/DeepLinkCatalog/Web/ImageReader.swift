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
    ///   - check: checks the placeholders of the description.
    /// - Returns: the picture, or `nil` if it is absent or its address is invalid.
    func read(_ reader: MappingReader, check: (LocalizedText?, YAMLMark?) -> Void) -> PageImage? {
        guard let node = reader["image"] else { return nil }
        guard node.pairs != nil else { return address("image", of: reader).map { PageImage($0) } }
        let subject = "`image` of \(reader.subject)"
        let mapping = MappingReader(node, subject: subject, keys: Self.keys, log: addresses.log)
        mapping.require("url", hint: "Add `url: https://www.example.com/p.png`.")
        let alternative = LocalizedTextReader(log: addresses.log).read("alt", of: mapping)
        check(alternative, mapping["alt"]?.mark)
        let sides = ["width", "height"].map { mapping.integer($0, in: 1...Self.maximumSide) }
        return address("url", of: mapping)
            .map { PageImage($0, width: sides[0], height: sides[1], alternative: alternative) }
    }

    private func address(_ key: String, of reader: MappingReader) -> String? {
        addresses.pattern(key, of: reader) { _ in nil }?.template.source
    }
}

extension MappingReader {
    /// Returns the whole number of a key.
    ///
    /// A number outside the range is reported, like any other value.
    func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = locatedString(key) else { return nil }
        if text.value.utf8.allSatisfy(ASCII.isDigit), let number = Int(text.value), range.contains(number) {
            return number
        }
        log.report(
            .invalidValue,
            at: text.location,
            message: "`\(key)` of \(subject) is `\(text.value)`.",
            hint: "Write a whole number from \(range.lowerBound) to \(range.upperBound)."
        )
        return nil
    }
}
