import DeepLinkCore
package import DeepLinkStorage

extension UserStateStore {
    /// Reads all that is kept of a user's history.
    package func history(of id: UserID) async throws -> [UserChange] {
        try await history(of: id, after: 0, limit: 1 << 30)
    }
}
