/// A store of the names that users have in the audit log.
///
/// A name is made with the first audited change of its user, in the same transaction, and deleted by the erasure of the
/// user; a user who comes back has another one.
package protocol AuditNameStore: Sendable {
    /// Reads the name of a user; `nil` for one who has none.
    func auditName(of id: UserID) async throws -> AuditName?

    /// Reads the users of names; those of erased users, and unknown ones, are left out.
    ///
    /// To be called with ``UserStateSlices/size`` names at most.
    func users(named names: [AuditName]) async throws -> [AuditName: UserID]
}
