extension [UInt8] {
    /// The text that these bytes encode in UTF-8.
    var asText: String { String(decoding: self, as: UTF8.self) }

    /// Returns whether other bytes are the same, eight at a time.
    package func hasSameBytes(as others: [UInt8]) -> Bool {
        count == others.count && ByteWord.areEqual(span, range: 0..<count, others: others.span, from: 0)
    }
}
