/// A store of short links: the interface through which the HTTP layer and the commands reach each implementation.
///
/// The link of a code that is asked for often is read at once, so that resolving it costs no hop between threads;
/// everything else may wait for a database. Every implementation passes the same conformance suite,
/// `ShortLinkStoreConformance` in the tests. Errors other than ``ShortLinkWriteError`` mean that the store is broken or
/// unreachable.
///
/// Erasing a user (`UserStateStore.remove`) erases the links about that user and their histories; a keyed digest of each
/// code remains, so that it is never given again.
package protocol ShortLinkStore: Sendable {
    /// Finds the link of a code, which is ready if it is in memory: as written, else without case, else as the server spells
    /// codes (``ShortLinkKind``).
    ///
    /// It is the link of the last acknowledged write, or of a later one. A change that another process has made may take a
    /// second to be seen.
    ///
    /// - Returns: The lookup, withdrawn and ended links included.
    /// - Throws: The error of a store that is broken.
    func link(for code: ShortLinkCode) throws -> Answer<ShortLinkLookup>

    /// Reads the link of a code as it is stored now; found like ``link(for:)``, `nil` for none.
    func storedLink(for code: ShortLinkCode) async throws -> ShortLink?

    /// Reads the link of a name as it is stored now; `nil` for none.
    func storedLink(named name: ShortLinkName) async throws -> ShortLink?

    /// Reads the links of names as they are stored now, at once; a name without a link is left out.
    func storedLinks(named names: [ShortLinkName]) async throws -> [ShortLinkName: ShortLink]

    /// Makes or replaces a link; when this returns, the change survives a loss of power.
    ///
    /// A name comes first: the link that was made on the same terms is returned as it is. A code counts as taken that a
    /// link has in other letters, that a withdrawn link has (unless the write restores it), or that an erased link had;
    /// codes of imported links are compared as written. A write of what is there already makes no version.
    ///
    /// - Throws: ``ShortLinkWriteError``, where nothing was changed.
    func save(_ write: ShortLinkWrite) async throws -> SavedShortLink

    /// Makes or replaces several links in their order, each by itself, and all in one commit; when this returns, the
    /// changes survive a loss of power.
    ///
    /// Other changes wait as long as this takes, so it is to be called with `UserStateSlices.atomicSize` writes at most,
    /// and beside a server with `UserStateSlices.size`.
    ///
    /// - Returns: The outcome of each write.
    func saveEach(_ writes: [ShortLinkWrite]) async throws -> [Result<SavedShortLink, ShortLinkWriteError>]

    /// Withdraws a link; its code and its name stay taken. When this returns, the change survives a loss of power.
    ///
    /// - Returns: The link, withdrawn; `nil` if there was none that was not withdrawn.
    /// - Throws: ``ShortLinkWriteError``, where nothing was changed.
    @discardableResult
    func withdraw(_ removal: ShortLinkRemoval) async throws -> SavedShortLink?

    /// Lists links in the order in which they were made.
    ///
    /// A page ends after `limit` links, and earlier once it has looked at as many others as one request may; then it may
    /// have none, and yet a place at which the list goes on.
    ///
    /// - Parameters:
    ///   - filter: The links to list.
    ///   - position: The place to begin at; `nil` for the beginning.
    ///   - limit: The most links of the page, at least 1.
    /// - Returns: The page.
    /// - Throws: An error of the store.
    func shortLinks(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int
    ) async throws -> ShortLinkPage

    /// Finds the place behind the link with exactly this code; `nil` for none.
    func position(after code: ShortLinkCode) async throws -> ShortLinkPosition?

    /// Reads up to `limit` changes of the link with exactly this code, oldest first, beginning after a version (0 for all);
    /// empty for a code that no link has.
    func history(of code: ShortLinkCode, after version: Int, limit: Int) async throws -> [ShortLinkChange]

    /// Counts the links of each shape that some link has, in the order of the shapes' bytes.
    func shapeCounts() async throws -> [ShortLinkShapeCount]

    /// Reads the labels in use, in the order of their bytes.
    func labels() async throws -> [ShortLinkLabel]
}

extension ShortLinkStore {
    /// Reads the links of names, one after the other.
    package func storedLinks(named names: [ShortLinkName]) async throws -> [ShortLinkName: ShortLink] {
        var links: [ShortLinkName: ShortLink] = [:]
        for name in names where links[name] == nil { links[name] = try await storedLink(named: name) }
        return links
    }
}
