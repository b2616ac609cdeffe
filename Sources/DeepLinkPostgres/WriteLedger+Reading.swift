import DeepLinkCore
import DeepLinkStoring

extension WriteLedger {
    /// The most continuations that one transaction forgets.
    private static let maximumSweepCount = 64

    /// A statement that reads rows, and what becomes of them.
    struct Reading {
        let statement: Statement
        let take: (inout WriteLedger, Rows) throws(PostgresError) -> Void
    }

    /// The statements that read and lock what changes need, in an order in which a lock comes before what depends on it.
    static func readings(for changes: [Change], _ secrets: Secrets) -> [Reading] {
        var readings: [Reading] = []
        let ids = Set(changes.flatMap(\.users)).sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        if !ids.isEmpty { readings += users(ids, secrets) }
        let requests = changes.flatMap(\.requests)
        if !requests.isEmpty { readings.append(answers(requests)) }
        let continuations = Set(changes.compactMap(\.continuation)).map(\.text)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if !continuations.isEmpty { readings += redemptions(continuations, changes) }
        if changes.contains(where: { if case .revoke = $0 { true } else { false } }) { readings.append(tokens) }
        return readings
    }

    /// Reads states, and of users without one the last change, or what is left of it after an erasure.
    private static func users(_ ids: [UserID], _ secrets: Secrets) -> [Reading] {
        let texts = SQLValue.texts(ids.map(\.text))
        var owners: [[UInt8]: UserID] = [:]
        for id in ids { owners[secrets.digest(of: id)] = id }
        return [
            Reading(
                statement: Statement(
                    """
                    SELECT id, level, valid_until, level_after, version, updated_at, as_of FROM user_state
                    WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE
                    """,
                    texts
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    let state = try rows.state(row)
                    ledger.users[state.id] = User(
                        state: state,
                        last: (state.version, state.asOf),
                        hasHistory: true,
                        wasThere: true
                    )
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
                    let id = try rows.user(row, 0)
                    // One whose state has come in between is found by its version, which is taken.
                    guard ledger.users[id] == nil else { continue }
                    let (at, moment) = (try rows.number(row, 2), try rows.optionalNumber(row, 3))
                    let last = (Int(try rows.number(row, 1)), Timestamp(millisecondsSinceEpoch: moment ?? at))
                    ledger.users[id] = User(last: last, hasHistory: true)
                }
            },
            Reading(
                statement: Statement(
                    "SELECT digest, version, as_of FROM erased_user WHERE digest = ANY($1::bytea[])",
                    .byteStrings(Array(owners.keys))
                )
            ) { ledger, rows throws(PostgresError) in
                for row in 0..<rows.count {
                    guard let id = owners[try rows.byteString(row, 0)], ledger.users[id] == nil else { continue }
                    ledger.users[id] = User(
                        last: (Int(try rows.number(row, 1)), try rows.time(row, 2)),
                        hasHistory: false
                    )
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
                ledger.answers[request.name] = Answer(request: request, answer: answer, isNew: false)
            }
        }
    }

    /// Reads continuations, then which have ended: the lock is there before the number is read that ends make.
    private static func redemptions(_ ids: [String], _ changes: [Change]) -> [Reading] {
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
                    guard let id = ContinuationID(try rows.text(row, 0)) else { throw .unexpected("a continuation") }
                    ledger.redemptions[id] = Redemption(
                        user: try rows.user(row, 1),
                        end: try rows.time(row, 2),
                        isSpent: try rows.number(row, 3) != 0,
                        isNew: false
                    )
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
                    guard let id = ContinuationID(try rows.text(row, 0)) else { throw .unexpected("a continuation") }
                    ledger.ended.append((id, try rows.time(row, 1)))
                    ledger.redemptions[id] = nil
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
                ledger.forgottenUntil = try rows.time(0, 0)
            }
        )
        return readings
    }

    private static var tokens: Reading {
        Reading(
            statement: Statement("SELECT id, revoked_at FROM service_token ORDER BY id FOR UPDATE")
        ) { ledger, rows throws(PostgresError) in
            for row in 0..<rows.count {
                guard let id = ServiceTokenID(try rows.text(row, 0)) else { throw .unexpected("a token's id") }
                ledger.tokens[id] = .some(
                    try rows.optionalNumber(row, 1).map(Timestamp.init(millisecondsSinceEpoch:))
                )
            }
        }
    }
}

extension Rows {
    /// Returns the answer of a row, and the request under whose key it is kept.
    func keptAnswer(_ row: Int) throws(PostgresError) -> (RepeatableRequest, KeptAnswer) {
        let digest = try byteString(row, 4)
        let request = RepeatableRequest(
            caller: try text(row, 0),
            method: try text(row, 1),
            path: try text(row, 2),
            key: try text(row, 3),
            digest: digest,
            user: try user(row, 8),
            time: try time(row, 9)
        )
        let answer = KeptAnswer(
            digest: digest,
            status: Int(try number(row, 5)),
            tag: try optionalText(row, 6),
            body: try byteString(row, 7)
        )
        return (request, answer)
    }
}
