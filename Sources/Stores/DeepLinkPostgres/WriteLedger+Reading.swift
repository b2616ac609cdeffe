import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// The maximum number of continuations that one transaction deletes.
    private static let maximumSweepCount = 64

    /// A statement that reads or locks rows, and the handling of its result.
    struct Reading {
        let statement: Statement

        /// The number of rows that must be there, with the fault if it differs, or `nil` for any number.
        var expected: (count: Int, fault: String)?

        private let read: (inout WriteLedger, ResultRow) throws(PostgresError) -> Void

        /// Creates a statement, with the function that reads each row into the ledger.
        init(
            _ sql: String,
            _ values: SQLValue...,
            read: @escaping (inout WriteLedger, ResultRow) throws(PostgresError) -> Void = { _, _ in }
        ) {
            statement = Statement(sql, values: values)
            self.read = read
        }

        /// Reads the result into the ledger.
        func take(_ rows: ResultRows, into ledger: inout WriteLedger) throws(PostgresError) {
            if let expected, rows.count != expected.count { throw .unexpected(expected.fault) }
            for row in rows { try read(&ledger, row) }
        }
    }

    /// Returns the statements that read and lock the rows of changes, ordered so that a lock precedes the reads that
    /// depend on it.
    static func readings(for needs: [StoreNeeds], _ secrets: DatabaseSecrets) -> [Reading] {
        var readings: [Reading] = []
        let ids = Set(needs.flatMap(\.users)).sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        if !ids.isEmpty { readings += users(ids, secrets: secrets) }
        readings += shortLinks(needs.map(\.links), secrets)
        let (named, links) = (Set(needs.flatMap(\.namedUsers)), Set(needs.flatMap(\.namedLinks)))
        if !named.isEmpty || !links.isEmpty { readings.append(auditNames(named, ofLinks: links)) }
        let requests = needs.flatMap(\.requests)
        if !requests.isEmpty { readings.append(answers(requests)) }
        let continuations = Set(needs.compactMap(\.continuation)).map(\.text)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if !continuations.isEmpty {
            readings += redemptions(continuations, sweepingAt: needs.compactMap(\.binding?.time).max())
        }
        if needs.contains(where: { $0.revokedToken != nil }) { readings.append(tokenReading) }
        return readings
    }

    /// Reads a user into the ledger.
    private mutating func read(_ storedState: UserRecord.StoredState, of id: UserID) throws(PostgresError) {
        let user = UserRecord(storedState)
        guard user.hasNextVersions else { throw .unexpected("a version without a next one") }
        users[id] = user
    }

    /// Reads states.
    ///
    /// For users without one, reads the last change or the mark of an erasure, and the effective times.
    private static func users(_ ids: [UserID], secrets: DatabaseSecrets) -> [Reading] {
        let texts = SQLValue.texts(ids.map(\.text))
        var owners: [[UInt8]: UserID] = [:]
        for id in ids { owners[secrets.digest(of: id)] = id }
        return [
            Reading(
                """
                SELECT \(UserRows.stateColumns) FROM user_state
                WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE
                """,
                texts
            ) { ledger, row throws(PostgresError) in
                let state = try UserState(row)
                try ledger.read(.present(state), of: state.id)
            },
            Reading(
                """
                SELECT change.user_id, change.version, change.at, change.as_of
                FROM unnest($1::text[]) AS asked (id)
                CROSS JOIN LATERAL (
                    SELECT * FROM user_history WHERE user_id = asked.id ORDER BY version DESC LIMIT 1) AS change
                WHERE NOT EXISTS (SELECT 1 FROM user_state WHERE id = asked.id)
                """,
                texts
            ) { ledger, row throws(PostgresError) in
                let id = try row.user(0)
                // If a state is added in between, the write fails, since its version is taken.
                guard ledger.users[id] == nil else { return }
                let (at, asOf) = (try row.time(2), try row.optionalTime(3))
                try ledger.read(.deleted(UserRecord.Mark(version: Int(try row.number(1)), asOf: asOf ?? at)), of: id)
            },
            Reading(
                "SELECT digest, version, as_of FROM erased_user WHERE digest = ANY($1::bytea[])",
                .byteStrings(Array(owners.keys))
            ) { ledger, row throws(PostgresError) in
                guard let id = owners[try row.bytes(0)], ledger.users[id] == nil else { return }
                let mark = UserRecord.Mark(version: Int(try row.number(1)), asOf: try row.time(2))
                try ledger.read(.erased(mark), of: id)
            },
            Reading(
                """
                SELECT \(StoredColumnNames.timestamps) FROM user_moment
                WHERE user_id = ANY($1::text[]) ORDER BY user_id FOR UPDATE
                """,
                texts
            ) { ledger, row throws(PostgresError) in
                let (id, kept) = try row.storedTimestamps()
                ledger.users[id, default: UserRecord()].read(kept: kept)
            },
        ]
    }

    private static func answers(_ requests: [KeyedRequest]) -> Reading {
        var known: [[ByteText]: KeyedRequest] = [:]
        for request in requests { known[request.name] = request }
        return Reading(
            """
            SELECT kept.caller, kept.method, kept.path, kept.key, kept.digest, kept.status, kept.tag, kept.body,
                kept.user_id, kept.kept_at
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS asked (caller, method, path, key)
            JOIN kept_answer AS kept ON kept.caller = asked.caller AND kept.method = asked.method
                AND kept.path = asked.path AND kept.key = asked.key
            """,
            .texts(known.values.map(\.caller)),
            .texts(known.values.map(\.method)),
            .texts(known.values.map(\.path)),
            .texts(known.values.map(\.key))
        ) { ledger, row throws(PostgresError) in
            let (request, answer) = try row.storedResponse()
            ledger.answers.read(answer, to: request)
        }
    }

    /// Reads continuations, then continuations that have ended.
    ///
    /// The lock is taken before the number derived from the ends is read.
    private static func redemptions(_ ids: [String], sweepingAt time: Timestamp?) -> [Reading] {
        let asked = Reading(
            """
            SELECT \(UserRows.redemptionColumns) FROM continuation
            WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE
            """,
            .texts(ids)
        ) { ledger, row throws(PostgresError) in
            ledger.redemptions.read(try row.redemption(), of: try row.continuation())
        }
        guard let time else { return [asked] }
        let ended = Reading(
            """
            SELECT id, expires_at FROM continuation WHERE expires_at < $1::bigint
            ORDER BY expires_at LIMIT \(maximumSweepCount) FOR UPDATE SKIP LOCKED
            """,
            .number(time.millisecondsSinceEpoch)
        ) { ledger, row throws(PostgresError) in
            ledger.redemptions.readEnded(try row.continuation(), end: try row.time(1))
        }
        var forgotten = Reading(
            "SELECT value FROM stored_number WHERE name = 'continuations forgotten until'"
        ) { ledger, row throws(PostgresError) in ledger.redemptions.readForgottenUntil(try row.time(0)) }
        forgotten.expected = (1, "no number of continuations")
        return [asked, ended, forgotten]
    }

    /// Reads the database's clock, which all replicas share.
    static var clock: Reading {
        Reading(
            "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        ) { ledger, row throws(PostgresError) in ledger.present = try row.time(0) }
    }

    private static var tokenReading: Reading {
        Reading(
            "SELECT id, revoked_at FROM service_token ORDER BY id FOR UPDATE"
        ) { ledger, row throws(PostgresError) in
            guard let id = ServiceTokenID(try row.text(0)) else { throw .unexpected("a token's id") }
            ledger.tokens.read(id, revoked: try row.optionalTime(1))
        }
    }
}
