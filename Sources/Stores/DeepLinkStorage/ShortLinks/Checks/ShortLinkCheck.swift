/// The result of the last check of the links of one shape.
package struct ShortLinkCheck: Hashable, Sendable {
    /// The shape.
    package let shape: ShortLinkShape

    /// A digest of the part of the catalog that decides about links of the shape: as long as a catalog has the same, they
    /// need not be read again.
    package let grounds: Int64

    /// The number of links that were broken; ended and withdrawn ones are not.
    package let brokenCount: Int

    /// Creates a result.
    package init(shape: ShortLinkShape, grounds: Int64, brokenCount: Int) {
        self.shape = shape
        self.grounds = grounds
        self.brokenCount = brokenCount
    }
}

/// The turn of a server to check short links, until it ends or is prolonged.
package struct ShortLinkCheckTurn: Hashable, Sendable {
    /// The end, in milliseconds by the clock of the store.
    package let end: Int64

    /// Creates a turn.
    package init(end: Int64) {
        self.end = end
    }
}

/// A store of the results of checking short links.
///
/// They save work and nothing else: a store without them is checked as a whole.
package protocol ShortLinkCheckStore: Sendable {
    /// Begins a turn, or prolongs one, so that one server of all checks at a time.
    ///
    /// - Parameters:
    ///   - turn: The turn to prolong; `nil` for a new one.
    ///   - duration: The time to its end, from now on.
    /// - Returns: The turn; `nil` while it is another server's.
    /// - Throws: An error of the store.
    func takeCheckTurn(_ turn: ShortLinkCheckTurn?, for duration: Duration) async throws -> ShortLinkCheckTurn?

    /// Reads the last result of each shape, in no order.
    func shortLinkChecks() async throws -> [ShortLinkCheck]

    /// Keeps a result in place of the last one of its shape, which some link has or had.
    func keep(_ check: ShortLinkCheck) async throws
}
