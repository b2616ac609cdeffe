/// The names that users have in the audit log, as a transaction reads, makes and deletes them.
package struct AuditNameLedger: Sendable {
    private var names: [UserID: AuditName] = [:]

    /// The names to be added.
    package private(set) var new: [UserID: AuditName] = [:]

    /// The users whose stored names are to be deleted before the new ones are added.
    package private(set) var forgotten: Set<UserID> = []

    /// Reads a name into the ledger.
    package mutating func read(_ name: AuditName, of id: UserID) { names[id] = name }

    /// Adds a name to be written as it is, as for a copied database.
    package mutating func copy(_ name: AuditName, of id: UserID) {
        names[id] = name
        new[id] = name
    }

    /// Returns the name of a user; `nil` for one who has none.
    package func existing(of id: UserID) -> AuditName? { names[id] }

    /// Returns the users of names.
    package func users(named wanted: Set<AuditName>) -> [AuditName: UserID] {
        Dictionary(names.filter { wanted.contains($0.value) }.map { ($0.value, $0.key) }) { first, _ in first }
    }

    /// Returns the name of a user, and draws one if there is none.
    mutating func name(of id: UserID) -> AuditName {
        if let name = names[id] { return name }
        let name = AuditName()
        copy(name, of: id)
        return name
    }

    /// Deletes the name of a user who is erased.
    ///
    /// - Returns: The name, for the last line about the user; one that nobody else has, if there was none.
    mutating func forget(_ id: UserID) -> AuditName {
        new[id] = nil
        forgotten.insert(id)
        return names.removeValue(forKey: id) ?? AuditName()
    }
}
