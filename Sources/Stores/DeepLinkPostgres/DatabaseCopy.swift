import DeepLinkCore
package import DeepLinkStorage

/// The copy of another store's contents into an empty PostgreSQL database: one transaction, committed once every row
/// was read back and found identical.
package struct DatabaseCopy: Sendable {
    /// The contents of the other store, passed in pages of one kind.
    ///
    /// Called twice.
    package typealias Contents = @Sendable (_ body: ([StoredRow]) throws -> Void) throws -> Void

    /// The numbers of copied rows by kind.
    package typealias Counts = [StoredRow.Kind: Int]

    /// The reason why nothing was copied, unless the other store is at fault.
    package enum Failure: StoreError {
        /// The database has users or tokens already.
        case notEmpty

        /// A row that was read back differs from the one written.
        case differs(String)

        package var isDamage: Bool { if case .differs = self { true } else { false } }

        package var description: String {
            switch self {
            case .notEmpty: "The database has users or tokens already; copy into an empty one. Nothing is changed."
            case .differs(let what): "The copy differs from the original: \(what). Nothing is changed."
            }
        }
    }

    /// The time limit of the whole copy.
    private static let timeout = Duration.seconds(86_400)

    /// Copies the contents.
    ///
    /// - Parameters:
    ///   - location: The database. Missing tables are created.
    ///   - metadata: The values that the other store has beside its rows.
    ///   - continuationKey: The key of its continuations, or `nil` to generate a new one.
    ///   - contents: Its rows.
    /// - Returns: The numbers of copied rows.
    /// - Throws: ``Failure``, ``PostgresError``, and the errors of the contents.
    package static func run(
        to location: PostgresLocation,
        metadata: StoreMetadata,
        continuationKey: [UInt8]?,
        contents: @escaping Contents
    ) async throws -> Counts {
        let secrets = DatabaseSecrets(erasureKey: metadata.erasureKey)
        let health = DatabaseHealth()
        let thread = DatabaseReader("waymark copy", location: location, health: health, timeout: timeout)
        defer { thread.close() }
        let result = try await thread.run(isRepeatable: false) { connection throws(PostgresError) in
            try Migrations.run(connection)
            let copy = CopyTransaction(connection: connection, secrets: secrets)
            do {
                return Result<Counts, any Error>
                    .success(try copy.run(metadata, continuationKey: continuationKey, contents: contents))
            } catch {
                try connection.run("ROLLBACK")
                return .failure(error)
            }
        }
        return try result.get()
    }
}

private struct CopyTransaction {
    let connection: PostgresConnection
    let secrets: DatabaseSecrets

    func run(_ metadata: StoreMetadata, continuationKey: [UInt8]?, contents: DatabaseCopy.Contents) throws
        -> DatabaseCopy.Counts
    {
        try connection.run("BEGIN")
        // A server that starts meanwhile waits.
        try connection.run("SELECT version FROM waymark_schema WHERE number = 1 FOR UPDATE")
        let tables = [
            "user_state", "user_history", "service_token", "erased_user", "link_count", "code_count", "audit_name",
            "user_moment", "short_link", "short_link_history", "erased_short_link",
        ]
        guard try total(tables) == 0 else { throw DatabaseCopy.Failure.notEmpty }
        try setMetadata(metadata, continuationKey: continuationKey)
        let transaction = try transaction()
        var counts: DatabaseCopy.Counts = [:]
        try contents { rows in
            for row in rows { counts[row.kind, default: 0] += 1 }
            try connection.run(inserts(rows, transaction: transaction))
        }
        try contents { rows in try check(rows) }
        guard try total(tables + ["continuation", "kept_answer"]) == counts.values.reduce(0, +) else {
            throw DatabaseCopy.Failure.differs("the number of rows")
        }
        let end = try connection.run("COMMIT")
        guard end.tag.utf8.elementsEqual("COMMIT".utf8) else { throw DatabaseCopy.Failure.differs("the end") }
        return counts
    }

    private func total(_ tables: [String]) throws -> Int64 {
        let sums = tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " + ")
        return try connection.run("SELECT " + sums)[0].number(0)
    }

    private func transaction() throws -> Int64 {
        guard try ChangeFeed.hasSnapshots(connection) else { return 0 }
        return try connection.run("SELECT pg_current_xact_id()::text")[0].number(0)
    }

    private func setMetadata(_ metadata: StoreMetadata, continuationKey: [UInt8]?) throws {
        var secrets = [("erasures", metadata.erasureKey)]
        if let continuationKey { secrets.append(("continuations", continuationKey)) }
        for (name, value) in secrets {
            try connection.run(
                """
                INSERT INTO stored_secret (name, value) VALUES ($1::text, $2::bytea)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
                .text(name),
                .bytes(value)
            )
        }
        try connection.run(
            "UPDATE stored_number SET value = $1::bigint WHERE name = 'continuations forgotten until'",
            .number(metadata.forgottenUntil.millisecondsSinceEpoch)
        )
        try connection.run(Statement(storing: metadata.levels.map(\.text), in: .levels))
        try connection.run(Statement(storing: metadata.grants.map(\.text), in: .grants))
        for rename in metadata.renames { try connection.run(Statement(storing: rename)) }
    }

    /// Returns the statements that insert rows, in the same way as writes do.
    private func inserts(_ rows: [StoredRow], transaction: Int64) -> [Statement] {
        var ledger = WriteLedger()
        var states: [UserID: UserState] = [:]
        var changes: [UserID: [UserChange]] = [:]
        var timestamps: [UserID: StoredTimestamps] = [:]
        var erased: [(digest: [UInt8], version: Int, asOf: Timestamp)] = []
        var linkCounts: [CountAddition] = []
        var links: [ShortLink] = []
        var linkChanges: [(code: ShortLinkCode, change: ShortLinkChange)] = []
        var erasedLinks: [[UInt8]] = []
        for row in rows {
            switch row {
            case .state(let state):
                states[state.id] = state
                ledger.users[state.id] = UserRecord(copying: state)
            case .change(let id, let change):
                changes[id, default: []].append(change)
            case .timestamps(let id, let kept): timestamps[id] = kept
            case .redemption(let id, let user, let end, let isSpent):
                let redemption = RedemptionLedger.Redemption(user: user, end: end, isSpent: isSpent, isStored: false)
                ledger.redemptions.read(redemption, of: id)
            case .token(let token): ledger.apply(.add(token))
            case .answer(let answer, let request): ledger.answers.keep(answer, to: request)
            case .erased(let digest, let version, let asOf): erased.append((digest, version, asOf))
            case .count(let addition): linkCounts.append(addition)
            case .shortLink(let link): links.append(link)
            case .shortLinkChange(let code, let change): linkChanges.append((code, change))
            case .erasedShortLink(let digest): erasedLinks.append(digest)
            case .auditName(let id, let name): ledger.auditNames.copy(name, of: id)
            }
        }
        for (id, changes) in changes { ledger.users[id] = UserRecord(copying: states[id], changes: changes) }
        let insert = Statement(
            """
            INSERT INTO erased_user (digest, version, as_of, transaction_id)
            SELECT digest, version, as_of, $4::bigint
            FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS noted (digest, version, as_of)
            """,
            .byteStrings(erased.map(\.digest)),
            .numbers(erased.map { Int64($0.version) }),
            .numbers(erased.map(\.asOf.millisecondsSinceEpoch)),
            .number(transaction)
        )
        let digests = Statement(
            "INSERT INTO erased_short_link (digest) SELECT * FROM unnest($1::bytea[])",
            .byteStrings(erasedLinks)
        )
        let others =
            [WriteLedger.statement(storing: timestamps), insert, digests]
            + WriteLedger.statements(adding: links, replacing: [], history: linkChanges)
        return ledger.statements(in: transaction, secrets) + others.filter { !$0.hasNoRows }
            + (linkCounts.isEmpty ? [] : [CountRows(linkCounts).copy])
    }

    /// Reads rows back, and compares each.
    private func check(_ rows: [StoredRow]) throws {
        let found = try connection.copies(of: rows)
        for row in rows where !found.contains(row) {
            throw DatabaseCopy.Failure.differs("\(row)".prefix(200).description)
        }
    }
}
