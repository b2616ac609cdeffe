package import DeepLinkCore

/// A row of a database, whose columns are read by their numbers.
package protocol StoredColumns {
    /// The error of a value that no store writes.
    associatedtype Failure: Error

    /// Returns a value, or `nil` for NULL.
    func optionalText(_ column: Int) throws(Failure) -> String?

    /// Returns a number, or `nil` for NULL.
    func optionalNumber(_ column: Int) throws(Failure) -> Int64?

    /// Returns bytes, which must not be NULL.
    func bytes(_ column: Int) throws(Failure) -> [UInt8]

    /// Returns the error of a row with something that no store writes.
    func fault(_ what: String) -> Failure
}

extension StoredColumns {
    /// Returns a value, which must not be NULL.
    package func text(_ column: Int) throws(Failure) -> String {
        guard let text = try optionalText(column) else { throw fault("NULL in column \(column)") }
        return text
    }

    /// Returns a number, which must not be NULL.
    package func number(_ column: Int) throws(Failure) -> Int64 {
        guard let number = try optionalNumber(column) else { throw fault("NULL in column \(column)") }
        return number
    }

    /// Returns a time, which must not be NULL.
    package func time(_ column: Int) throws(Failure) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: try number(column))
    }

    /// Returns a time, or `nil` for NULL.
    package func optionalTime(_ column: Int) throws(Failure) -> Timestamp? {
        try optionalNumber(column).map(Timestamp.init(millisecondsSinceEpoch:))
    }

    /// Returns the user with the id in a column.
    package func user(_ column: Int) throws(Failure) -> UserID {
        guard let id = UserID(stored: try text(column)) else { throw fault("an invalid id") }
        return id
    }
}

/// The names of columns in the order in which rows are read.
package enum StoredColumnNames {
    /// The columns of a stored response.
    package static let answer = "caller, method, path, key, digest, status, tag, body, user_id, kept_at"

    /// The columns of the effective times of a user without a state.
    package static let timestamps = "user_id, as_of, grants, kept_at"

    /// The columns of a service token.
    package static let token = "id, digest, role, note, created_at, expires_at, revoked_at, grants, last_used"

    /// The days on which a token may have been used, until the year 9999.
    fileprivate static let tokenDays: ClosedRange<Int64> = 0...2_932_896
}

extension StoredColumns {
    /// Returns the response in a row of ``StoredColumnNames/answer``, and the request that it is stored for.
    package func storedResponse() throws(Failure) -> (request: KeyedRequest, answer: StoredResponse) {
        let digest = try bytes(4)
        let request = KeyedRequest(
            caller: try text(0),
            method: try text(1),
            path: try text(2),
            key: try text(3),
            digest: digest,
            user: try user(8),
            time: try time(9)
        )
        let (tag, body) = (try optionalText(6), try bytes(7))
        return (request, StoredResponse(digest: digest, status: Int(try number(5)), tag: tag, body: body))
    }

    /// Returns the user in a row of ``StoredColumnNames/timestamps``, with the effective times.
    package func storedTimestamps() throws(Failure) -> (id: UserID, kept: StoredTimestamps) {
        let kept = StoredTimestamps(level: try optionalNumber(1), grants: try optionalText(2), at: try time(3))
        guard let kept else { throw fault("invalid moments") }
        return (try user(0), kept)
    }

    /// Returns the token in a row of ``StoredColumnNames/token``.
    package func serviceToken() throws(Failure) -> ServiceToken {
        let day = try optionalNumber(8)
        guard let id = ServiceTokenID(try text(0)), let role = Role(bytewise: try text(2)),
            let grants = GrantsCoding.names(try optionalText(7)), day.map(StoredColumnNames.tokenDays.contains) ?? true
        else { throw fault("an invalid token") }
        return ServiceToken(
            id: id,
            digest: try bytes(1),
            role: role,
            grants: grants,
            note: try text(3),
            created: try time(4),
            expires: try optionalTime(5),
            revoked: try optionalTime(6),
            lastUsed: day.map { CountedDay(number: Int($0)) }
        )
    }

    /// Returns the continuation in the first column.
    package func continuation() throws(Failure) -> ContinuationID {
        guard let id = ContinuationID(try text(0)) else { throw fault("a continuation") }
        return id
    }

    /// Returns the redemption in the columns user, end, and whether it is spent, after the continuation.
    package func redemption() throws(Failure) -> RedemptionLedger.Redemption {
        let (user, end, isSpent) = (try user(1), try time(2), try number(3) != 0)
        return RedemptionLedger.Redemption(user: user, end: end, isSpent: isSpent, isStored: true)
    }

    /// Returns the user and the audit log name in the first two columns.
    package func auditName() throws(Failure) -> (id: UserID, name: AuditName) {
        guard let name = AuditName(try text(1)) else { throw fault("a name of the audit log") }
        return (try user(0), name)
    }

    /// Returns the heading in the first columns.
    package func heading(_ columns: [CountQuery.Column]) throws(Failure) -> CountRow.Heading {
        try columns.enumerated()
            .map { place, column throws(Failure) in
                column.isDay ? CountedDay(number: Int(try number(place))).text.bytewise : try text(place).bytewise
            }
    }
}
