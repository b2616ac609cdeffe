import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// Returns the statements that write the results of the changes.
    ///
    /// Deletions precede insertions. If another replica has inserted a key meanwhile, the transaction fails and is
    /// retried.
    func statements(in transaction: Int64, _ secrets: DatabaseSecrets) -> [Statement] {
        erasures(in: transaction, secrets) + states + momentDeletions + Self.statements(keeping: keptMoments)
            + momentGuards
            + history(in: transaction) + answerStatements
            + redemptionStatements(secrets) + tokenStatements + shortLinkStatements(secrets) + auditNameStatements
    }

    private func erasures(in transaction: Int64, _ secrets: DatabaseSecrets) -> [Statement] {
        let erased = users.filter(\.value.isErased)
        guard !erased.isEmpty else { return [] }
        let ids = SQLValue.texts(erased.keys.map(\.text))
        let digests = erased.keys.map(secrets.digest)
        var statements = [
            Statement("DELETE FROM kept_answer WHERE user_id = ANY($1::text[])", ids),
            Statement(
                """
                UPDATE continuation SET user_id = nobody.digest
                FROM unnest($1::text[], $2::text[]) AS nobody (id, digest) WHERE user_id = nobody.id
                """,
                ids,
                .texts(erased.keys.map(secrets.pseudonym))
            ),
            Statement("DELETE FROM user_history WHERE user_id = ANY($1::text[])", ids),
        ]
        let noted = zip(erased, digests).filter { $0.0.value.last != nil }
        statements.append(
            Statement(
                """
                INSERT INTO erased_user (digest, version, as_of, transaction_id)
                SELECT digest, version, as_of, $4::bigint
                FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS noted (digest, version, as_of)
                ON CONFLICT (digest) DO UPDATE
                SET version = excluded.version, as_of = excluded.as_of, transaction_id = excluded.transaction_id
                """,
                .byteStrings(noted.map(\.1)),
                .numbers(noted.map { Int64($0.0.value.last?.version ?? 0) }),
                .numbers(noted.map { $0.0.value.last?.asOf.millisecondsSinceEpoch }),
                .number(transaction)
            )
        )
        return statements
    }

    private var states: [Statement] {
        var statements: [Statement] = []
        let changed = users.filter(\.value.hasNewState)
        let gone = changed.filter { $0.value.access == nil }.keys.map(\.text)
        if !gone.isEmpty {
            statements.append(Statement("DELETE FROM user_state WHERE id = ANY($1::text[])", .texts(gone)))
        }
        // An existing row is locked. A missing row may have been added meanwhile, which fails the transaction.
        let old = Self.values(of: changed.filter(\.value.isStored))
        if let old {
            statements.append(
                Statement(
                    """
                    UPDATE user_state AS state SET
                        level = new.level, valid_until = new.valid_until, level_after = new.level_after,
                        level_name = new.level_name, level_after_name = new.level_after_name,
                        implied_level_after = new.implied_level_after, grants = new.grants, named_version = new.named_version,
                        named_level = new.named_level, version = new.version, updated_at = new.updated_at,
                        as_of = new.as_of
                    FROM unnest(\(Self.stateTypes)) AS new (\(Self.stateColumns)) WHERE state.id = new.id
                    """,
                    values: old
                )
            )
        }
        if let new = Self.values(of: changed.filter { !$0.value.isStored }) {
            statements.append(
                Statement(
                    "INSERT INTO user_state (\(Self.stateColumns)) SELECT * FROM unnest(\(Self.stateTypes))",
                    values: new
                )
            )
        }
        return statements
    }

    private static let stateColumns = """
        id, level, valid_until, level_after, level_name, level_after_name, implied_level_after, grants, version,
        updated_at, as_of, named_version, named_level
        """

    /// The types of ``stateColumns``.
    ///
    /// The last two are the version and the level again.
    private static let stateTypes = """
        $1::text[], $2::smallint[], $3::bigint[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::bigint[], $10::bigint[], $11::bigint[], $9::bigint[], $2::smallint[]
        """

    /// Returns the columns of states, in the order of the ids, or `nil` if there are none.
    private static func values(of users: [UserID: UserRecord]) -> [SQLValue]? {
        let states = users.compactMap { id, user in user.state(of: id) }
            .sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
        guard !states.isEmpty else { return nil }
        return [
            .texts(states.map(\.id.text))
        ] + AccessColumns.values(states.map(\.level)) + [
            .texts(states.map { GrantsText.text(of: $0.access, $0.moments) }),
            .numbers(states.map { Int64($0.version) }),
            .numbers(states.map(\.updatedAt.millisecondsSinceEpoch)),
            .numbers(states.map { ($0.asOf ?? AccessColumns.never).millisecondsSinceEpoch }),
        ]
    }

    private func history(in transaction: Int64) -> [Statement] {
        let rows = users.flatMap { id, user in user.changes.map { (id: id, change: $0) } }
            .sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
        guard !rows.isEmpty else { return [] }
        return [
            Statement(
                """
                INSERT INTO user_history
                    (user_id, version, level, valid_until, level_after, level_name, level_after_name,
                    implied_level_after, grants, at, author, as_of, transaction_id)
                SELECT *, $13::bigint
                FROM unnest($1::text[], $2::bigint[], $3::smallint[], $4::bigint[], $5::smallint[], $6::text[],
                    $7::text[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::bigint[])
                """,
                values: [.texts(rows.map(\.id.text)), .numbers(rows.map { Int64($0.change.version) })]
                    + AccessColumns.values(rows.map(\.change.level))
                    + [
                        .texts(rows.map { $0.change.access.flatMap { GrantsText.text(of: $0.grants) } }),
                        .numbers(rows.map(\.change.at.millisecondsSinceEpoch)),
                        .texts(rows.map(\.change.author)),
                        .numbers(rows.map { $0.change.asOf?.millisecondsSinceEpoch }),
                        .number(transaction),
                    ]
            )
        ]
    }

    private var answerStatements: [Statement] {
        let new = answers.new
        guard let horizon = new.map(\.request.horizon).max() else { return [] }
        let keys: [SQLValue] = [
            .texts(new.map(\.request.caller)), .texts(new.map(\.request.method)), .texts(new.map(\.request.path)),
            .texts(new.map(\.request.key)),
        ]
        return [
            Statement(
                """
                DELETE FROM kept_answer AS kept
                USING unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS new (caller, method, path, key)
                WHERE kept.caller = new.caller AND kept.method = new.method AND kept.path = new.path
                    AND kept.key = new.key AND kept.kept_at < $5::bigint
                """,
                values: keys + [.number(horizon.millisecondsSinceEpoch)]
            ),
            Statement(
                """
                INSERT INTO kept_answer (caller, method, path, key, digest, status, tag, body, user_id, kept_at)
                SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::smallint[],
                    $7::text[], $8::bytea[], $9::text[], $10::bigint[])
                """,
                values: keys + [
                    .byteStrings(new.map(\.answer.digest)),
                    .numbers(new.map { Int64($0.answer.status) }),
                    .texts(new.map(\.answer.tag)),
                    .byteStrings(new.map(\.answer.body)),
                    .texts(new.map(\.request.user.text)),
                    .numbers(new.map(\.request.time.millisecondsSinceEpoch)),
                ]
            ),
        ]
    }

    private func redemptionStatements(_ secrets: DatabaseSecrets) -> [Statement] {
        var statements: [Statement] = []
        let forgotten = redemptions.forgotten
        if !forgotten.isEmpty {
            statements.append(
                Statement("DELETE FROM continuation WHERE id = ANY($1::text[])", .texts(forgotten.map(\.text)))
            )
            statements.append(
                Statement(
                    """
                    UPDATE stored_number SET value = greatest(value, $1::bigint)
                    WHERE name = 'continuations forgotten until'
                    """,
                    .number(redemptions.forgottenUntil.millisecondsSinceEpoch)
                )
            )
        }
        let new = redemptions.entries.filter { !$0.value.isStored }
            .sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        if !new.isEmpty {
            statements.append(
                Statement(
                    """
                    INSERT INTO continuation (id, user_id, expires_at, is_spent)
                    SELECT id, user_id, expires_at, is_spent <> 0
                    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::integer[])
                        AS new (id, user_id, expires_at, is_spent)
                    """,
                    .texts(new.map(\.key.text)),
                    .texts(
                        new.map { $0.value.isUnbound ? secrets.pseudonym(of: $0.value.user) : $0.value.user.text }
                    ),
                    .numbers(new.map(\.value.end.millisecondsSinceEpoch)),
                    .numbers(new.map { $0.value.isSpent ? 1 : 0 })
                )
            )
        }
        let spent = redemptions.entries.filter { $0.value.isChanged && $0.value.isStored }.keys.map(\.text)
        if !spent.isEmpty {
            statements.append(
                Statement("UPDATE continuation SET is_spent = true WHERE id = ANY($1::text[])", .texts(spent))
            )
        }
        return statements
    }

    private var tokenStatements: [Statement] {
        tokens.new.map { token in
            Statement(
                """
                INSERT INTO service_token 
                    (id, digest, role, note, created_at, expires_at, revoked_at, grants, last_used)
                VALUES ($1::text, $2::bytea, $3::text, $4::text, $5::bigint, $6::bigint, $7::bigint, $8::text,
                    $9::integer)
                """,
                .text(token.id.text),
                .bytes(token.digest),
                .text(token.role.rawValue),
                .text(token.note),
                .number(token.created.millisecondsSinceEpoch),
                .number(token.expires?.millisecondsSinceEpoch),
                .number(token.revoked?.millisecondsSinceEpoch),
                .text(GrantsText.text(of: token.grants)),
                .number((token.lastUsed?.number).map(Int64.init))
            )
        }
            + tokens.revocations.map { id, time in
                Statement(
                    "UPDATE service_token SET revoked_at = $2::bigint WHERE id = $1::text AND revoked_at IS NULL",
                    .text(id.text),
                    .number(time.millisecondsSinceEpoch)
                )
            }
    }
}
