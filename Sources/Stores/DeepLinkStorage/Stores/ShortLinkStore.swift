/// A store of short links: the interface that the HTTP layer and the commands use for each implementation.
///
/// The link of a frequently requested code is returned immediately, so that resolving it does not switch threads. All
/// other calls may wait for a database. Every implementation passes the same conformance suite,
/// `ShortLinkStoreConformance` in the tests. Errors other than ``ShortLinkWriteError`` mean that the store is broken or
/// unreachable.
///
/// Erasing a user (`UserStateStore.remove`) erases the links about that user and their histories. A keyed digest of
/// each code remains, so that the code is never used again.
package protocol ShortLinkStore: LedgerStore {
    /// Finds the link of a code, which is ready if it is in memory: as written, else without case, else as the server
    /// spells codes (``ShortLinkKind``).
    ///
    /// It is the link of the last acknowledged write, or of a later one. A change that another process has made may
    /// take a second to be seen.
    ///
    /// - Returns: The lookup, withdrawn and ended links included.
    /// - Throws: The error of a store that is broken.
    func link(for code: ShortLinkCode) throws -> Answer<ShortLinkLookupResult>

    /// Reads the link of a code as it is stored now; found like ``link(for:)``, `nil` for none.
    func storedLink(for code: ShortLinkCode) async throws -> ShortLink?

    /// Reads the currently stored links of names in one call. Names without a link are left out.
    func storedLinks(named names: [ShortLinkName]) async throws -> [ShortLinkName: ShortLink]

    /// The generator of random codes.
    var codeGenerator: ShortLinkCodeGenerator { get }

    /// Lists links in the order of their creation.
    ///
    /// A page ends after `limit` links, or earlier once it has scanned the maximum number of links for one request.
    /// Such a page may be empty although the list continues.
    ///
    /// The page starts after a position, or at the beginning for `nil`. A limit below 1 counts as 1.
    func shortLinks(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int
    ) async throws -> ShortLinkPage

    /// Returns the position after the link with exactly this code, or `nil` if there is none.
    func position(after code: ShortLinkCode) async throws -> ShortLinkPosition?

    /// Reads up to `limit` changes of the link with exactly this code, oldest first, starting after a version (0 for
    /// all).
    ///
    /// Empty if no link has the code.
    func history(of code: ShortLinkCode, after version: Int, limit: Int) async throws -> [ShortLinkChange]

    /// Counts the links of each shape in use that are not withdrawn, in the order of the shapes' bytes.
    ///
    /// Expired links count.
    func shapeCounts() async throws -> [(shape: ShortLinkShape, count: Int)]

    /// Reads the labels in use, in the order of their bytes.
    func labels() async throws -> [ShortLinkLabel]
}

extension ShortLinkStore {
    /// Reads the currently stored link of a name, or `nil` if there is none.
    package func storedLink(named name: ShortLinkName) async throws -> ShortLink? {
        try await storedLinks(named: [name])[name]
    }

    /// Makes or replaces a link.
    ///
    /// The name is checked first: if a link was made with the same name and terms, it is returned unchanged. A code
    /// counts as taken if a link has it in another case, if a withdrawn link has it (unless the write restores the
    /// link), or if an erased link had it. Codes of imported links are compared as written. A write that changes
    /// nothing does not make a version.
    ///
    /// - Throws: ``ShortLinkWriteError``. Nothing was changed then.
    package func save(_ write: ShortLinkWrite) async throws -> ShortLinkWriteResult {
        try await saveEach([write])[0].get()
    }

    /// Makes or replaces several links in their order, each independently, in a single commit.
    ///
    /// Other changes wait until this is done, so pass at most `BatchLimits.atomicSize` writes, and
    /// `BatchLimits.size` while a server runs.
    ///
    /// - Returns: The outcome of each write.
    package func saveEach(
        _ writes: [ShortLinkWrite]
    ) async throws -> [Result<ShortLinkWriteResult, ShortLinkWriteError>] {
        var outcomes: [Int: Result<ShortLinkWriteResult, ShortLinkWriteError>] = [:]
        var open = Array(writes.indices)
        for _ in 0..<maximumDrawCount where !open.isEmpty {
            let drafts = open.map { ShortLinkDraft(writes[$0], codeGenerator: codeGenerator) }
            var collided: [Int] = []
            for (index, result) in zip(open, try await make(.saveLinks(drafts))) {
                switch result {
                case .success(let saved): outcomes[index] = .success(saved)
                case .failure(.refused(let error)): outcomes[index] = .failure(error)
                case .failure(.collision): collided.append(index)
                }
            }
            open = collided
        }
        return try writes.indices.map { index in
            guard let outcome = outcomes[index] else { throw CodesUnavailableError() }
            return outcome
        }
    }

    /// Withdraws a link.
    ///
    /// Its code and its name stay taken.
    ///
    /// - Returns: The withdrawn link, or `nil` if there was none or it was withdrawn before.
    /// - Throws: ``ShortLinkWriteError``. Nothing was changed then.
    @discardableResult
    package func withdraw(_ removal: ShortLinkRemoval) async throws -> ShortLinkWriteResult? {
        try await make(.withdrawLink(removal)).get()
    }
}

/// The maximum number of random codes to try for one link.
///
/// With ten characters and ten million links, one code in 10^8 is taken.
private let maximumDrawCount = 16

/// The fault of a generator that only returns codes that are taken.
private struct CodesUnavailableError: Error, CustomStringConvertible {
    let description = "No code could be drawn for a short link: the codes that were drawn are all taken."
}
