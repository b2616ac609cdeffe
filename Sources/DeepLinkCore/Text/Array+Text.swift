extension [UInt8] {
    /// The text that these bytes encode in UTF-8.
    var asText: String { String(decoding: self, as: UTF8.self) }
}
