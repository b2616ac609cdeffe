/// A place that the document of a key set is read from.
protocol KeySetSource: Sendable {
    /// What to call the place in logs.
    var name: String { get }

    /// Who wrote the document.
    var origin: KeySet.Origin { get }

    /// Whether other users of this machine can read the document.
    var isExposed: Bool { get }

    /// Reads the document.
    ///
    /// - Throws: ``KeySetError/unavailable(_:)``.
    func document() async throws(KeySetError) -> [UInt8]
}

extension KeySetSource {
    /// The most bytes of a document.
    static var maximumByteCount: Int { 1024 * 1024 }
}
