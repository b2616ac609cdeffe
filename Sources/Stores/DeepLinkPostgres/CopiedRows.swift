import DeepLinkCore
import DeepLinkStorage

/// Reads back copied rows, to compare them with the originals.
extension PostgresConnection {
    /// Reads the stored rows that a page of one kind may be equal to.
    func copies(of page: [StoredRow]) throws(PostgresError) -> Set<StoredRow> {
        switch page.first {
        case .state:
            let ids = page.compactMap { if case .state(let state) = $0 { state.id.text } else { nil } }
            return try copies(
                "SELECT \(UserRows.stateColumns) FROM user_state WHERE id = ANY($1::text[])",
                .texts(ids)
            ) { row throws(PostgresError) in .state(try UserState(row)) }
        case .change:
            let keys = page.compactMap { if case .change(let id, let change) = $0 { (id, change) } else { nil } }
            return try copies(
                """
                SELECT \(UserRows.changeColumns) FROM unnest($1::text[], $2::bigint[]) AS asked (id, version)
                JOIN user_history AS change ON change.user_id = asked.id AND change.version = asked.version
                """,
                .texts(keys.map(\.0.text)),
                .numbers(keys.map { Int64($0.1.version) })
            ) { row throws(PostgresError) in .change(try row.user(9), try UserChange(row)) }
        case .timestamps:
            let ids = page.compactMap { if case .timestamps(let id, _) = $0 { id.text } else { nil } }
            return try copies(
                "SELECT \(StoredColumnNames.timestamps) FROM user_moment WHERE user_id = ANY($1::text[])",
                .texts(ids)
            ) { row throws(PostgresError) in
                let (id, kept) = try row.storedTimestamps()
                return .timestamps(id, kept)
            }
        case .redemption:
            let ids = page.compactMap { if case .redemption(let id, _, _, _) = $0 { id.text } else { nil } }
            return try copies(
                "SELECT \(UserRows.redemptionColumns) FROM continuation WHERE id = ANY($1::text[])",
                .texts(ids)
            ) { row throws(PostgresError) in
                let found = try row.redemption()
                return .redemption(try row.continuation(), found.user, end: found.end, isSpent: found.isSpent)
            }
        case .token:
            return try copies("SELECT \(StoredColumnNames.token) FROM service_token") { row throws(PostgresError) in
                .token(try row.serviceToken())
            }
        case .answer:
            let keys = page.compactMap { if case .answer(_, let request) = $0 { request.key } else { nil } }
            return try copies(
                "SELECT \(StoredColumnNames.answer) FROM kept_answer WHERE key = ANY($1::text[])",
                .texts(keys)
            ) { row throws(PostgresError) in
                let (request, answer) = try row.storedResponse()
                return .answer(answer, request)
            }
        case .erased:
            return try copies("SELECT digest, version, as_of FROM erased_user") { row throws(PostgresError) in
                .erased(digest: try row.bytes(0), version: Int(try row.number(1)), asOf: try row.time(2))
            }
        case .count:
            // An addition has no key of its own, so the database compares the page.
            let additions = page.compactMap { if case .count(let addition) = $0 { addition } else { nil } }
            let found = try run(CountRows(additions).comparison)[0].number(0)
            return found == Int64(additions.count) ? Set(page) : []
        case .shortLink:
            let codes = page.compactMap { if case .shortLink(let link) = $0 { link.code.text } else { nil } }
            return try copies(
                "SELECT \(ShortLinkRows.columns) FROM \(ShortLinkRows.tables) WHERE link.code = ANY($1::text[])",
                .texts(codes)
            ) { row throws(PostgresError) in .shortLink(try ShortLink(row)) }
        case .shortLinkChange:
            let codes = page.compactMap { if case .shortLinkChange(let code, _) = $0 { code.text } else { nil } }
            return try copies(
                """
                SELECT \(ShortLinkRows.changeColumns) FROM \(ShortLinkRows.changeTables)
                WHERE change.code = ANY($1::text[])
                """,
                .texts(codes)
            ) { row throws(PostgresError) in .shortLinkChange(try row.code(), try ShortLinkChange(row)) }
        case .erasedShortLink:
            let digests = page.compactMap { if case .erasedShortLink(let digest) = $0 { digest } else { nil } }
            return try copies(
                "SELECT digest FROM erased_short_link WHERE digest = ANY($1::bytea[])",
                .byteStrings(digests)
            ) { row throws(PostgresError) in .erasedShortLink(digest: try row.bytes(0)) }
        case .auditName:
            let ids = page.compactMap { if case .auditName(let id, _) = $0 { id.text } else { nil } }
            return try copies(
                "SELECT user_id, name FROM audit_name WHERE user_id = ANY($1::text[])",
                .texts(ids)
            ) { row throws(PostgresError) in
                let (id, name) = try row.auditName()
                return .auditName(id, name)
            }
        case nil: return []
        }
    }

    private func copies(
        _ sql: String,
        _ values: SQLValue...,
        each row: (ResultRow) throws(PostgresError) -> StoredRow
    ) throws(PostgresError) -> Set<StoredRow> {
        Set(try run(Statement(sql, values: values)).map(row))
    }
}
