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
    package struct Counts: Hashable, Sendable {
        /// The number of users with a state.
        package var users = 0

        /// The number of changes in their histories.
        package var changes = 0

        /// The number of users without a state that have stored effective times.
        package var moments = 0

        /// The number of service tokens.
        package var tokens = 0

        /// The number of redeemed continuations.
        package var continuations = 0

        /// The number of stored responses to requests with an idempotency key.
        package var answers = 0

        /// The number of erased users.
        package var erased = 0

        /// The number of counts of uses of links.
        package var linkCounts = 0

        /// The number of short links.
        package var shortLinks = 0

        /// The number of changes in their histories.
        package var shortLinkChanges = 0

        /// The number of erased short links.
        package var erasedShortLinks = 0

        /// The number of audit log names of users.
        package var auditNames = 0

        /// The number of all rows.
        var total: Int {
            users + changes + moments + tokens + continuations + answers + erased + linkCounts + shortLinks
                + shortLinkChanges
                + erasedShortLinks + auditNames
        }

        mutating func add(_ row: StoredRow) {
            switch row {
            case .state: users += 1
            case .change: changes += 1
            case .moments: moments += 1
            case .redemption: continuations += 1
            case .token: tokens += 1
            case .answer: answers += 1
            case .erased: erased += 1
            case .count: linkCounts += 1
            case .shortLink: shortLinks += 1
            case .shortLinkChange: shortLinkChanges += 1
            case .erasedShortLink: erasedShortLinks += 1
            case .auditName: auditNames += 1
            }
        }
    }

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
    ///   - facts: The values that the other store has beside its rows.
    ///   - continuationKey: The key of its continuations, or `nil` to generate a new one.
    ///   - contents: Its rows.
    /// - Returns: The numbers of copied rows.
    /// - Throws: ``Failure``, ``PostgresError``, and the errors of the contents.
    package static func run(
        to location: PostgresLocation,
        facts: StoredFacts,
        continuationKey: [UInt8]?,
        contents: @escaping Contents
    ) async throws -> Counts {
        let secrets = DatabaseSecrets(erasureKey: facts.erasureKey)
        let thread = DatabaseReader(
            "waymark copy",
            location: location,
            health: DatabaseHealth(),
            timeout: timeout,
            secrets: secrets
        )
        defer { thread.close() }
        let result = try await thread.run(isRepeatable: false) { connection, deadline throws(PostgresError) in
            try Migrations.run(connection, until: deadline)
            let copy = CopyTransaction(connection, secrets: secrets, until: deadline)
            do {
                return Result<Counts, any Error>
                    .success(try copy.run(facts, continuationKey: continuationKey, contents: contents))
            } catch {
                _ = try connection.run(Statement("ROLLBACK"), until: deadline)
                return .failure(error)
            }
        }
        return try result.get()
    }
}

private struct CopyTransaction {
    private let connection: PostgresConnection
    private let secrets: DatabaseSecrets
    private let deadline: Moment

    init(_ connection: PostgresConnection, secrets: DatabaseSecrets, until deadline: Moment) {
        self.connection = connection
        self.secrets = secrets
        self.deadline = deadline
    }

    func run(_ facts: StoredFacts, continuationKey: [UInt8]?, contents: DatabaseCopy.Contents) throws
        -> DatabaseCopy.Counts
    {
        _ = try connection.run(Statement("BEGIN"), until: deadline)
        // A server that starts meanwhile waits.
        _ = try connection.run(
            Statement("SELECT version FROM waymark_schema WHERE number = 1 FOR UPDATE"),
            until: deadline
        )
        let tables = [
            "user_state", "user_history", "service_token", "erased_user", "link_count", "code_count", "audit_name",
            "user_moment",
        ]
        guard try total(tables + Self.linkTables) == 0 else {
            throw DatabaseCopy.Failure.notEmpty
        }
        try setFacts(facts, continuationKey: continuationKey)
        let transaction = try transaction()
        var counts = DatabaseCopy.Counts()
        try contents { rows in
            for row in rows { counts.add(row) }
            _ = try connection.run(inserts(rows, transaction: transaction), until: deadline)
        }
        try contents { rows in try check(rows) }
        guard try total(tables + Self.linkTables + ["continuation", "kept_answer"]) == Int64(counts.total) else {
            throw DatabaseCopy.Failure.differs("the number of rows")
        }
        let end = try connection.run(Statement("COMMIT"), until: deadline)
        guard end.tag.utf8.elementsEqual("COMMIT".utf8) else { throw DatabaseCopy.Failure.differs("the end") }
        return counts
    }

    private static let linkTables = ["short_link", "short_link_history", "erased_short_link"]

    private func total(_ tables: [String]) throws -> Int64 {
        let sums = tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " + ")
        return try connection.run(Statement("SELECT " + sums), until: deadline).number(0, column: 0)
    }

    private func transaction() throws -> Int64 {
        guard try ChangeFeed.hasSnapshots(connection, until: deadline) else { return 0 }
        return try connection.run(Statement("SELECT pg_current_xact_id()::text"), until: deadline).number(0, column: 0)
    }

    private func setFacts(_ facts: StoredFacts, continuationKey: [UInt8]?) throws {
        var secrets = [("erasures", facts.erasureKey)]
        if let continuationKey { secrets.append(("continuations", continuationKey)) }
        for (name, value) in secrets {
            let setting = Statement(
                """
                INSERT INTO stored_secret (name, value) VALUES ($1::text, $2::bytea)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
                .text(name),
                .bytes(value)
            )
            _ = try connection.run(setting, until: deadline)
        }
        let number = Statement(
            "UPDATE stored_number SET value = $1::bigint WHERE name = 'continuations forgotten until'",
            .number(facts.forgottenUntil.millisecondsSinceEpoch)
        )
        _ = try connection.run(number, until: deadline)
        let names = [
            Statement(keeping: facts.levels.map(\.text), in: .levels),
            Statement(keeping: facts.grants.map(\.text), in: .grants),
        ]
        for statement in names + facts.renames.map(Statement.init(keeping:)) {
            _ = try connection.run(statement, until: deadline)
        }
    }

    /// Returns the statements that insert rows, in the same way as writes do.
    private func inserts(_ rows: [StoredRow], transaction: Int64) -> [Statement] {
        var ledger = WriteLedger()
        var states: [UserID: UserState] = [:]
        var changes: [UserID: [UserChange]] = [:]
        var moments: [UserID: KeptMoments] = [:]
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
            case .moments(let id, let kept): moments[id] = kept
            case .redemption(let id, let user, let end, let isSpent):
                let redemption = RedemptionLedger.Redemption(user: user, end: end, isSpent: isSpent, isStored: false)
                ledger.redemptions.read(redemption, of: id)
            case .token(let token): _ = ledger.apply(.add(token))
            case .answer(let answer, let request): ledger.answers.keep(answer, to: request)
            case .erased(let digest, let version, let asOf): erased.append((digest, version, asOf))
            case .count(let addition): linkCounts.append(addition)
            case .shortLink(let link): links.append(link)
            case .shortLinkChange(let code, let change): linkChanges.append((code, change))
            case .erasedShortLink(let digest): erasedLinks.append(digest)
            case .auditName(let id, let name): ledger.auditNames.copy(name, of: id)
            }
        }
        for (id, changes) in changes {
            ledger.users[id] = UserRecord(copying: states[id], changes: changes)
        }
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
        return ledger.statements(in: transaction, secrets) + WriteLedger.statements(keeping: moments)
            + (erased.isEmpty ? [] : [insert])
            + (linkCounts.isEmpty ? [] : [CountRows(linkCounts).copy])
            + WriteLedger.statements(adding: links, replacing: [], history: linkChanges)
            + (erasedLinks.isEmpty ? [] : [digests])
    }

    /// Reads rows back, and compares each.
    private func check(_ rows: [StoredRow]) throws {
        let found = try CopiedRows(rows, connection: connection, until: deadline)
        for row in rows {
            guard found.contains(row) else { throw DatabaseCopy.Failure.differs("\(row)".prefix(200).description) }
        }
    }
}
