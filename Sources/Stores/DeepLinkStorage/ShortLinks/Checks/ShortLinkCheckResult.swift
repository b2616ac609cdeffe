/// The result of the last check of the links of one shape.
package struct ShortLinkCheckResult: Hashable, Sendable {
    /// The shape that all checked links have.
    package let shape: ShortLinkShape

    /// The fingerprint of the catalog for the shape.
    ///
    /// Links do not need to be read again while it stays the same.
    package let grounds: Int64

    /// The number of broken links.
    ///
    /// Expired and withdrawn links do not count.
    package let brokenCount: Int

    /// Creates a result.
    package init(shape: ShortLinkShape, grounds: Int64, brokenCount: Int) {
        self.shape = shape
        self.grounds = grounds
        self.brokenCount = brokenCount
    }
}

/// A store of the results of checking short links.
///
/// The results only save work: without them, all links are checked.
package protocol ShortLinkCheckStore: Sendable {
    /// Begins or prolongs a turn, so that only one of all servers checks at a time.
    ///
    /// A turn is named by its end, in milliseconds on the clock of the store.
    ///
    /// - Returns: The new or prolonged turn, or `nil` while it is another server's.
    func takeCheckTurn(_ turn: Int64?, for duration: Duration) async throws -> Int64?

    /// Reads the last result of each shape, in any order.
    func shortLinkChecks() async throws -> [ShortLinkCheckResult]

    /// Stores the result of a shape that links have or had, replacing the last one.
    func keep(_ check: ShortLinkCheckResult) async throws
}
