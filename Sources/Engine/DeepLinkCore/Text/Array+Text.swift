extension String {
    /// Reads bytes as UTF-8 where they are; `nil` if they are not.
    package init?(utf8 bytes: Span<UInt8>) {
        #if canImport(Darwin)  // `UTF8Span` is of iOS 26.
        guard let text = bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) else { return nil }
        self = text
        #else
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self = String(copying: text)
        #endif
    }
}

extension [UInt8] {
    /// The text that these bytes encode in UTF-8.
    var asText: String { String(decoding: self, as: UTF8.self) }

    /// Returns whether other bytes are the same, eight at a time.
    package func hasSameBytes(as others: Span<UInt8>) -> Bool {
        count == others.count && ByteWord.areEqual(span, range: 0..<count, others: others, from: 0)
    }
}
