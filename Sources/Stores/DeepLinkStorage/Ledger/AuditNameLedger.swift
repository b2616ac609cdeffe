/// The audit log names of users that a transaction reads, creates and deletes.
package struct AuditNameLedger: Sendable {
    private var names: [UserID: AuditName] = [:]

    /// The names to add.
    package private(set) var new: [UserID: AuditName] = [:]

    /// The users with a stored name to delete before the new ones are added.
    package private(set) var forgotten: Set<UserID> = []

    /// Adds a stored name to the ledger.
    package mutating func read(_ name: AuditName, of id: UserID) { names[id] = name }

    /// Adds a name to write unchanged, as for a copied database.
    package mutating func copy(_ name: AuditName, of id: UserID) {
        names[id] = name
        new[id] = name
    }

    /// Returns the name of a user, or `nil` if there is none.
    package func existing(of id: UserID) -> AuditName? { names[id] }

    /// Returns the users with the given names.
    package func users(named wanted: Set<AuditName>) -> [AuditName: UserID] {
        Dictionary(names.filter { wanted.contains($0.value) }.map { ($0.value, $0.key) }) { first, _ in first }
    }

    /// Returns the name of a user, and generates one if there is none.
    mutating func name(of id: UserID) -> AuditName {
        if let name = names[id] { return name }
        let name = AuditName()
        copy(name, of: id)
        return name
    }

    /// Deletes the name of an erased user.
    ///
    /// - Returns: The name for the user's last log line: the existing one, or a new one.
    mutating func forget(_ id: UserID) -> AuditName {
        new[id] = nil
        forgotten.insert(id)
        return names.removeValue(forKey: id) ?? AuditName()
    }
}
