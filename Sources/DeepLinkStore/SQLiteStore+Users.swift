package import DeepLinkCore
import DeepLinkStoring
import GRDB

extension SQLiteStore: UserStateStore {
    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        try await self.write { [rules] database in
            try Self.save(write, rules, database)
        } levels: { saved in
            [UserLevelChange(user: write.id, grant: saved.state.grant)]
        }
    }

    package func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<SavedUserState, UserStateWriteError>] {
        try await write(
            { [rules] database in
                try writes.map { write in
                    // An error of this kind is thrown before anything is changed.
                    do { return .success(try Self.save(write, rules, database)) } catch let error as UserStateWriteError
                    {
                        return .failure(error)
                    }
                }
            },
            size: writes.count,
            levels: { outcomes in
                outcomes.compactMap { try? $0.get() }
                    .map { UserLevelChange(user: $0.state.id, grant: $0.state.grant) }
            }
        )
    }

    private static func save(
        _ write: UserStateWrite,
        _ rules: KeepingRules,
        _ database: Database
    ) throws -> SavedUserState {
        if let answer = try write.keeping.flatMap({ try KeptAnswerRecord.find($0.request, database) }) {
            throw UserStateWriteError.answered(answer)
        }
        let standing = try UserStateStanding(of: write.id, database)
        guard write.precondition.holds(for: standing.state?.version) else {
            throw UserStateWriteError.versionMismatch(current: standing.state?.version)
        }
        let last = try standing.last(of: write.id, database)
        guard let moment = ChangeOrder.moment(asOf: write.asOf, at: write.time, after: last?.asOf) else {
            throw UserStateWriteError.superseded(by: standing.state)
        }
        let saved = SavedUserState(
            state: try state(write, asOf: moment, standing.state, last),
            isNew: standing.state == nil
        )
        if saved.state != standing.state { try UserStateRecord(saved.state).replace(database) }
        if saved.state.version != standing.state?.version {
            let change = UserChange(
                version: saved.state.version,
                grant: write.grant,
                at: write.time,
                author: write.author,
                asOf: write.asOf == nil && moment == write.time ? nil : moment
            )
            try note(change, of: write.id, rules, database)
        }
        try rules.keep(write.keeping, saved, database)
        return saved
    }

    /// Returns the state that a write makes of another.
    private static func state(
        _ write: UserStateWrite,
        asOf moment: Timestamp,
        _ former: UserState?,
        _ last: ErasedUserRecord.Last?
    ) throws(DamagedRowError) -> UserState {
        let isSame = former?.grant == write.grant
        return UserState(
            id: write.id,
            grant: write.grant,
            version: try isSame ? former?.version ?? 1 : last?.nextVersion() ?? 1,
            updatedAt: isSame ? former?.updatedAt ?? write.time : write.time,
            asOf: moment
        )
    }

    package func remove(_ removal: UserStateRemoval) async throws -> Bool {
        try await write { [rules] database in
            if let answer = try removal.keeping.flatMap({ try KeptAnswerRecord.find($0.request, database) }) {
                throw UserStateWriteError.answered(answer)
            }
            let standing = try UserStateStanding(of: removal.id, database)
            guard removal.precondition.holds(for: standing.state?.version) else {
                throw UserStateWriteError.versionMismatch(current: standing.state?.version)
            }
            let last = try standing.last(of: removal.id, database)
            if removal.isErasure { return try Self.erase(removal, last, database) }
            guard let moment = ChangeOrder.moment(asOf: removal.asOf, at: removal.time, after: last?.asOf) else {
                throw UserStateWriteError.superseded(by: standing.state)
            }
            guard standing.state != nil, let last else { return false }
            // Before the deletion, which else were one by hand.
            let change = UserChange(
                version: try last.nextVersion(),
                grant: nil,
                at: removal.time,
                author: removal.author,
                asOf: removal.asOf == nil && moment == removal.time ? nil : moment
            )
            try Self.note(change, of: removal.id, rules, database)
            try Self.deleteState(of: removal.id, database)
            try rules.keep(removal.keeping, (), database)
            return true
        } levels: { wasThere in
            wasThere ? [UserLevelChange(user: removal.id, grant: nil)] : []
        }
    }

    /// Forgets all that the file has of a user, but for a digest with the last version.
    ///
    /// What is deleted is overwritten (`secure_delete`, ``StoreOpening``); the write-ahead log has it until it is cut.
    ///
    /// - Returns: whether there was a state, or a history.
    private static func erase(
        _ removal: UserStateRemoval,
        _ last: ErasedUserRecord.Last?,
        _ database: Database
    ) throws -> Bool {
        let digest = try ErasedUserRecord.digest(of: removal.id, database)
        try KeptAnswerRecord.erase(removal.id, database)
        try ContinuationRecord.unbind(removal.id, named: digest, database)
        // Before the state, whose deletion else were one by hand.
        guard try UserHistoryRecord.erase(removal.id, database), let last else { return false }
        try deleteState(of: removal.id, database)
        let asOf = max(last.asOf, removal.time)
        try ErasedUserRecord.note(ErasedUserRecord.Last(version: last.version, asOf: asOf), ofDigest: digest, database)
        // Other processes have no row of the history that tells them.
        try StoredNumber.erasures.set(StoredNumber.erasures.value(database) + 1, database)
        return true
    }

    private static func deleteState(of id: UserID, _ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM user_state WHERE id = ?").execute(arguments: [id.text])
    }

    /// Adds a change to the history, and drops what its limits no longer keep.
    private static func note(
        _ change: UserChange,
        of id: UserID,
        _ rules: KeepingRules,
        _ database: Database
    ) throws {
        try UserHistoryRecord(change, of: id).insert(database)
        try UserHistoryRecord.prune(id, newest: change.version, at: change.at, rules.history, database)
    }

    package func answer(to request: RepeatableRequest) throws -> KeptAnswer? {
        try read { try KeptAnswerRecord.find(request, $0) }
    }

    package func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer {
        try await write { [rules] database in
            if let former = try KeptAnswerRecord.find(request, database) { return former }
            try rules.keep(answer, to: request, database)
            return answer
        }
    }

    /// What is kept, and how much of it.
    private var rules: KeepingRules { KeepingRules(history: historyLimits, answerCount: maximumAnswerCount) }
}

/// The bounds of what changes of users leave behind.
private struct KeepingRules {
    let history: UserHistoryLimits
    let answerCount: Int

    /// Keeps the answer to a change, where one is to be kept.
    func keep<Outcome>(_ keeping: AnswerKeeping<Outcome>?, _ outcome: Outcome, _ database: Database) throws {
        guard let keeping, let answer = keeping.answer(outcome) else { return }
        try keep(answer, to: keeping.request, database)
    }

    /// Keeps an answer, within the bounds.
    func keep(_ answer: KeptAnswer, to request: RepeatableRequest, _ database: Database) throws {
        try KeptAnswerRecord.keep(answer, to: request, atMost: answerCount, database)
    }
}
