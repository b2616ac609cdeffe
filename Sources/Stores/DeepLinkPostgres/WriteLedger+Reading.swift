import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// The maximum number of continuations that one transaction deletes.
    private static let maximumSweepCount = 64

    /// A statement that reads rows, and the handling of its result.
    struct Reading {
        let statement: Statement
        let take: (inout WriteLedger, ResultRows) throws(PostgresError) -> Void
    }

    /// Returns the statements that read and lock the rows of changes, ordered so that a lock precedes the reads that
    /// depend on it.
    static func readings(for changes: [StoreChange], _ secrets: DatabaseSecrets) -> [Reading] {
        var readings: [Reading] = []
        let ids = Set(changes.flatMap(\.users)).sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        if !ids.isEmpty { readings += users(ids, secrets: secrets) }
        readings += shortLinks(for: changes, secrets)
        let (named, links) = (Set(changes.flatMap(\.namedUsers)), Set(changes.flatMap(\.namedLinks)))
        if !named.isEmpty || !links.isEmpty { readings.append(auditNames(named, ofLinks: links)) }
        let requests = changes.flatMap(\.requests)
        if !requests.isEmpty { readings.append(answers(requests)) }
        let continuations = Set(changes.compactMap(\.continuation)).map(\.text)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if !continuations.isEmpty { readings += redemptions(continuations, changes: changes) }
        if changes.contains(where: { if case .revoke = $0 { true } else { false } }) { readings.append(tokenReading) }
        return readings
    }

    /// Reads a user into the ledger.
    private mutating func read(_ standing: UserRecord.Standing, of id: UserID) throws(PostgresError) {
        let user = UserRecord(standing)
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
                statement: Statement(
                    """
                    SELECT id, \(AccessColumns.ofState), version, updated_at, as_of FROM user_state
                    WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE
                    """,
                    texts
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    let state = try rows.state(row)
                    try ledger.read(.present(state), of: state.id)
                }
            },
            Reading(
                statement: Statement(
                    """
                    SELECT change.user_id, change.version, change.at, change.as_of
                    FROM unnest($1::text[]) AS asked (id)
                    CROSS JOIN LATERAL (
                        SELECT * FROM user_history WHERE user_id = asked.id ORDER BY version DESC LIMIT 1) AS change
                    WHERE NOT EXISTS (SELECT 1 FROM user_state WHERE id = asked.id)
                    """,
                    texts
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    let id = try rows.user(row, column: 0)
                    // If a state is added in between, the write fails, since its version is taken.
                    guard ledger.users[id] == nil else { continue }
                    let (at, moment) = (try rows.number(row, column: 2), try rows.optionalNumber(row, column: 3))
                    let mark =
                        UserRecord
                        .Mark(
                            version: Int(try rows.number(row, column: 1)),
                            asOf: Timestamp(millisecondsSinceEpoch: moment ?? at)
                        )
                    try ledger.read(.deleted(mark), of: id)
                }
            },
            Reading(
                statement: Statement(
                    "SELECT digest, version, as_of FROM erased_user WHERE digest = ANY($1::bytea[])",
                    .byteStrings(Array(owners.keys))
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    guard let id = owners[try rows.byteString(row, column: 0)], ledger.users[id] == nil else {
                        continue
                    }
                    let mark =
                        UserRecord
                        .Mark(
                            version: Int(try rows.number(row, column: 1)),
                            asOf: try rows.time(row, column: 2)
                        )
                    try ledger.read(.erased(mark), of: id)
                }
            },
            Reading(
                statement: Statement(
                    """
                    SELECT \(UserRows.momentColumns) FROM user_moment
                    WHERE user_id = ANY($1::text[]) ORDER BY user_id FOR UPDATE
                    """,
                    texts
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    let (id, kept) = try rows.keptMoments(row)
                    ledger.users[id, default: UserRecord()].read(kept: kept)
                }
            },
        ]
    }

    private static func answers(_ requests: [RepeatableRequest]) -> Reading {
        var known: [[ByteText]: RepeatableRequest] = [:]
        for request in requests { known[request.name] = request }
        return Reading(
            statement: Statement(
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
            )
        ) { ledger, rows throws(PostgresError) in
            for row in 0..<rows.count {
                let (request, answer) = try rows.keptAnswer(row)
                ledger.answers.read(answer, to: request)
            }
        }
    }

    /// Reads continuations, then continuations that have ended.
    ///
    /// The lock is taken before the number derived from the ends is read.
    private static func redemptions(_ ids: [String], changes: [StoreChange]) -> [Reading] {
        var time: Timestamp?
        for case .bind(_, _, _, let moment) in changes { time = max(time ?? moment, moment) }
        var readings = [
            Reading(
                statement: Statement(
                    """
                    SELECT id, user_id, expires_at, is_spent::integer FROM continuation
                    WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE
                    """,
                    .texts(ids)
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    guard let id = ContinuationID(try rows.text(row, column: 0)) else {
                        throw .unexpected("a continuation")
                    }
                    let redemption = RedemptionLedger.Redemption(
                        user: try rows.user(row, column: 1),
                        end: try rows.time(row, column: 2),
                        isSpent: try rows.number(row, column: 3) != 0,
                        isStored: true
                    )
                    ledger.redemptions.read(redemption, of: id)
                }
            }
        ]
        guard let time else { return readings }
        readings.append(
            Reading(
                statement: Statement(
                    """
                    SELECT id, expires_at FROM continuation WHERE expires_at < $1::bigint
                    ORDER BY expires_at LIMIT \(maximumSweepCount) FOR UPDATE SKIP LOCKED
                    """,
                    .number(time.millisecondsSinceEpoch)
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    guard let id = ContinuationID(try rows.text(row, column: 0)) else {
                        throw .unexpected("a continuation")
                    }
                    ledger.redemptions.readEnded(id, end: try rows.time(row, column: 1))
                }
            }
        )
        readings.append(
            Reading(
                statement: Statement(
                    "SELECT value FROM stored_number WHERE name = 'continuations forgotten until'"
                )
            ) { ledger, rows throws(PostgresError) in
                guard rows.count == 1 else { throw .unexpected("no number of continuations") }
                ledger.redemptions.readForgottenUntil(try rows.time(0, column: 0))
            }
        )
        return readings
    }

    /// Reads the database's clock, which all replicas share.
    static var clock: Reading {
        Reading(
            statement: Statement("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        ) { ledger, rows throws(PostgresError) in
            ledger.present = try rows.time(0, column: 0)
        }
    }

    private static var tokenReading: Reading {
        Reading(
            statement: Statement("SELECT id, revoked_at FROM service_token ORDER BY id FOR UPDATE")
        ) { ledger, rows throws(PostgresError) in
            for row in 0..<rows.count {
                guard let id = ServiceTokenID(try rows.text(row, column: 0)) else { throw .unexpected("a token's id") }
                let revoked = try rows.optionalNumber(row, column: 1).map(Timestamp.init(millisecondsSinceEpoch:))
                ledger.tokens.read(id, revoked: revoked)
            }
        }
    }
}

extension ResultRows {
    /// Returns the response in a row, and the request that it is stored for.
    func keptAnswer(_ row: Int) throws(PostgresError) -> (RepeatableRequest, KeptAnswer) {
        let digest = try byteString(row, column: 4)
        let request = RepeatableRequest(
            caller: try text(row, column: 0),
            method: try text(row, column: 1),
            path: try text(row, column: 2),
            key: try text(row, column: 3),
            digest: digest,
            user: try user(row, column: 8),
            time: try time(row, column: 9)
        )
        let answer = KeptAnswer(
            digest: digest,
            status: Int(try number(row, column: 5)),
            tag: try optionalText(row, column: 6),
            body: try byteString(row, column: 7)
        )
        return (request, answer)
    }
}
