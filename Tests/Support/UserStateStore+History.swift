package import DeepLinkCore

extension UserStateStore {
    /// Reads all that is kept of a user's history.
    package func history(of id: UserID) throws -> [UserChange] { try history(of: id, after: 0, limit: 1 << 30) }
}
