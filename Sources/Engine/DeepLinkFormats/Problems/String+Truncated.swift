extension String {
    /// Returns the text, or if it has more than so many bytes of UTF-8 its beginning and an ellipsis.
    package func truncated(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        // Never in the middle of a character's bytes.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(decoding: utf8[..<end], as: UTF8.self) + "…"
    }
}
