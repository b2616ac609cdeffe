import DeepLinkCore
import DeepLinkStorage

/// The rows of a database under the keys of given rows, for a comparison.
struct CopiedRows {
    private var states: [UserID: UserState] = [:]
    private var changes: [UserID: [Int: UserChange]] = [:]
    private var moments: [UserID: KeptMoments] = [:]
    private var redemptions: [ContinuationID: RedemptionLedger.Redemption] = [:]
    private var tokens: [ServiceTokenID: ServiceToken] = [:]
    private var answers: [[ByteText]: (RepeatableRequest, KeptAnswer)] = [:]
    private var erased: [[UInt8]: (version: Int, asOf: Timestamp)] = [:]
    private var links: [ShortLinkCode: ShortLink] = [:]
    private var linkChanges: [ShortLinkCode: [Int: ShortLinkChange]] = [:]
    private var erasedLinks: Set<[UInt8]> = []

    private var auditNames: [UserID: AuditName] = [:]

    /// Whether all counts of a page are stored unchanged.
    private var hasCounts = false

    /// Reads the rows under the keys of a page of one kind.
    init(_ rows: [StoredRow], connection: PostgresConnection, until deadline: Moment) throws(PostgresError) {
        switch rows.first {
        case .state: try readStates(rows, connection: connection, deadline: deadline)
        case .change: try readChanges(rows, connection: connection, deadline: deadline)
        case .moments: try readMoments(rows, connection: connection, deadline: deadline)
        case .count: try readCounts(rows, connection: connection, deadline: deadline)
        case .shortLink, .shortLinkChange, .erasedShortLink:
            try readLinks(rows, connection: connection, deadline: deadline)
        case .auditName: try readAuditNames(rows, connection: connection, deadline: deadline)
        case .redemption, .answer, .token, .erased, nil:
            try readOthers(rows, connection: connection, deadline: deadline)
        }
    }

    /// Returns whether the database has an identical row.
    func contains(_ row: StoredRow) -> Bool {
        switch row {
        case .state(let state): return states[state.id] == state
        case .change(let id, let change): return changes[id]?[change.version] == change
        case .moments(let id, let kept): return moments[id] == kept
        case .redemption(let id, let user, let end, let isSpent):
            guard let found = redemptions[id] else { return false }
            return found.user == user && found.end == end && found.isSpent == isSpent
        case .token(let token): return tokens[token.id] == token
        case .answer(let answer, let request):
            guard let (found, kept) = answers[request.name] else { return false }
            return kept == answer && found.user == request.user && found.time == request.time
        case .erased(let digest, let version, let asOf):
            guard let found = erased[digest] else { return false }
            return found.version == version && found.asOf == asOf
        case .count: return hasCounts
        case .shortLink(let link): return links[link.code] == link
        case .shortLinkChange(let code, let change): return linkChanges[code]?[change.version] == change
        case .erasedShortLink(let digest): return erasedLinks.contains(digest)
        case .auditName(let id, let name): return auditNames[id] == name
        }
    }

    private mutating func readStates(_ rows: [StoredRow], connection: PostgresConnection, deadline: Moment)
        throws(PostgresError)
    {
        var ids: [String] = []
        for case .state(let state) in rows { ids.append(state.id.text) }
        let found = try connection.run(
            Statement(
                """
                SELECT id, \(AccessColumns.ofState), version, updated_at, as_of FROM user_state
                WHERE id = ANY($1::text[])
                """,
                .texts(ids)
            ),
            until: deadline
        )
        for row in 0..<found.count {
            let state = try found.state(row)
            states[state.id] = state
        }
    }

    private mutating func readChanges(_ rows: [StoredRow], connection: PostgresConnection, deadline: Moment)
        throws(PostgresError)
    {
        var keys: [(String, Int64)] = []
        for case .change(let id, let change) in rows { keys.append((id.text, Int64(change.version))) }
        let found = try connection.run(
            Statement(
                """
                SELECT change.version, \(AccessColumns.ofChange), change.at, change.author,
                    change.as_of, change.user_id
                FROM unnest($1::text[], $2::bigint[]) AS asked (id, version)
                JOIN user_history AS change ON change.user_id = asked.id AND change.version = asked.version
                """,
                .texts(keys.map(\.0)),
                .numbers(keys.map(\.1))
            ),
            until: deadline
        )
        for row in 0..<found.count {
            let change = try found.change(row, from: 0)
            changes[try found.user(row, column: 9), default: [:]][change.version] = change
        }
    }

    private mutating func readMoments(_ rows: [StoredRow], connection: PostgresConnection, deadline: Moment)
        throws(PostgresError)
    {
        var ids: [String] = []
        for case .moments(let id, _) in rows { ids.append(id.text) }
        let found = try connection.run(
            Statement("SELECT \(UserRows.momentColumns) FROM user_moment WHERE user_id = ANY($1::text[])", .texts(ids)),
            until: deadline
        )
        for row in 0..<found.count {
            let (id, kept) = try found.keptMoments(row)
            moments[id] = kept
        }
    }

    /// Compares counts in the database, since they lack an identity of their own.
    private mutating func readCounts(_ rows: [StoredRow], connection: PostgresConnection, deadline: Moment)
        throws(PostgresError)
    {
        var additions: [CountAddition] = []
        for case .count(let addition) in rows { additions.append(addition) }
        let found = try connection.run(CountRows(additions).comparison, until: deadline)
        hasCounts = try found.number(0, column: 0) == Int64(additions.count)
    }

    private mutating func readLinks(_ rows: [StoredRow], connection: PostgresConnection, deadline: Moment)
        throws(PostgresError)
    {
        var (codes, changed, digests): ([String], [String], [[UInt8]]) = ([], [], [])
        for row in rows {
            switch row {
            case .shortLink(let link): codes.append(link.code.text)
            case .shortLinkChange(let code, _): changed.append(code.text)
            case .erasedShortLink(let digest): digests.append(digest)
            default: break
            }
        }
        let found = try connection.run(
            [
                Statement(
                    """
                    SELECT \(ShortLinkRows.columns) FROM \(ShortLinkRows.tables) WHERE link.code = ANY($1::text[])
                    """,
                    .texts(codes)
                ),
                Statement(
                    """
                    SELECT \(ShortLinkRows.changeColumns) FROM \(ShortLinkRows.changeTables)
                    WHERE change.code = ANY($1::text[])
                    """,
                    .texts(changed)
                ),
                Statement(
                    "SELECT digest FROM erased_short_link WHERE digest = ANY($1::bytea[])",
                    .byteStrings(digests)
                ),
            ],
            until: deadline
        )
        for row in 0..<found[0].count {
            let link = try found[0].shortLink(row)
            links[link.code] = link
        }
        for row in 0..<found[1].count {
            let (code, change) = try found[1].shortLinkChange(row)
            linkChanges[code, default: [:]][change.version] = change
        }
        for row in 0..<found[2].count { erasedLinks.insert(try found[2].byteString(row, column: 0)) }
    }

    private mutating func readAuditNames(_ rows: [StoredRow], connection: PostgresConnection, deadline: Moment)
        throws(PostgresError)
    {
        var ids: [String] = []
        for case .auditName(let id, _) in rows { ids.append(id.text) }
        let found = try connection.run(
            Statement("SELECT user_id, name FROM audit_name WHERE user_id = ANY($1::text[])", .texts(ids)),
            until: deadline
        )
        for row in 0..<found.count {
            let (id, name) = try found.auditName(row)
            auditNames[id] = name
        }
    }

    /// Reads the small tables.
    private mutating func readOthers(_ rows: [StoredRow], connection: PostgresConnection, deadline: Moment)
        throws(PostgresError)
    {
        var (ids, keys): ([String], [String]) = ([], [])
        for case .redemption(let id, _, _, _) in rows { ids.append(id.text) }
        for case .answer(_, let request) in rows { keys.append(request.key) }
        let found = try connection.run(
            [
                Statement(
                    "SELECT id, user_id, expires_at, is_spent::integer FROM continuation WHERE id = ANY($1::text[])",
                    .texts(ids)
                ),
                Statement(
                    """
                    SELECT id, digest, role, note, created_at, expires_at, revoked_at, grants, last_used
                    FROM service_token
                    """
                ),
                Statement(
                    """
                    SELECT caller, method, path, key, digest, status, tag, body, user_id, kept_at FROM kept_answer
                    WHERE key = ANY($1::text[])
                    """,
                    .texts(keys)
                ),
                Statement("SELECT digest, version, as_of FROM erased_user"),
            ],
            until: deadline
        )
        for row in 0..<found[0].count {
            guard let id = ContinuationID(try found[0].text(row, column: 0)) else {
                throw .unexpected("a continuation")
            }
            redemptions[id] = RedemptionLedger.Redemption(
                user: try found[0].user(row, column: 1),
                end: try found[0].time(row, column: 2),
                isSpent: try found[0].number(row, column: 3) != 0,
                isStored: true
            )
        }
        for row in 0..<found[1].count {
            let token = try found[1].serviceToken(row)
            tokens[token.id] = token
        }
        for row in 0..<found[2].count {
            let (request, answer) = try found[2].keptAnswer(row)
            answers[request.name] = (request, answer)
        }
        for row in 0..<found[3].count {
            erased[try found[3].byteString(row, column: 0)] = (
                Int(try found[3].number(row, column: 1)), try found[3].time(row, column: 2)
            )
        }
    }
}
