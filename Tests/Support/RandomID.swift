import DeepLinkCore
package import DeepLinkStorage

extension ServiceTokenID {
    /// Draws an id that no other test has.
    package static func random() -> ServiceTokenID { ServiceTokenID(drawing: draw) }
}

extension ContinuationID {
    /// Draws an id that no other test has.
    package static func random() -> ContinuationID { ContinuationID(drawing: draw) }
}

private func draw(_ count: Int, of alphabet: [UInt8]) -> String {
    String(decoding: (0..<count).compactMap { _ in alphabet.randomElement() }, as: UTF8.self)
}
