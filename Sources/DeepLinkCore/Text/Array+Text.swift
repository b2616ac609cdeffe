extension [UInt8] {
    /// The text whose UTF-8 these bytes are.
    var asText: String { String(decoding: self, as: UTF8.self) }
}
