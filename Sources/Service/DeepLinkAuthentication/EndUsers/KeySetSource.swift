/// A place that the document of a key set is read from.
protocol KeySetSource: Sendable {
    /// The name of the source in logs.
    var name: String { get }

    /// The author of the document.
    var origin: KeySet.Origin { get }

    /// The reason why secrets have no place in the document, since others can read it; `nil` for none.
    var exposure: String? { get }

    /// Reads the document.
    ///
    /// - Throws: ``KeySetError/unavailable(_:)``.
    func document() async throws(KeySetError) -> [UInt8]
}

extension KeySetSource {
    /// The most bytes of a document.
    static var maximumByteCount: Int { 1024 * 1024 }
}
