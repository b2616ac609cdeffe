package import DeepLinkStorage

extension Answer {
    /// The value that is ready; `nil` of one that must be waited for.
    package var cached: Value? { if case .ready(let value) = self { value } else { nil } }
}

extension UserStateStore {
    /// Returns the access that is in memory.
    package func cachedAccess(of id: UserID, atLeast version: Int) throws -> AccessLookupResult? {
        try access(of: id, atLeast: version).cached
    }
}

extension ShortLinkStore {
    /// Returns the link that is in memory.
    package func cachedLink(for code: ShortLinkCode) throws -> ShortLinkLookupResult? { try link(for: code).cached }
}
