import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// Returns the statements that write the results of the changes.
    ///
    /// Deletions precede insertions. If another replica has inserted a key meanwhile, the transaction fails and is
    /// retried.
    func statements(in transaction: Int64, _ secrets: DatabaseSecrets) -> [Statement] {
        let users = erasures(in: transaction, secrets) + states + timestamps + [history(in: transaction)]
        let others = answerStatements + redemptionStatements(secrets) + tokenStatements
        return (users + others + shortLinkStatements(secrets) + auditNameStatements).filter { !$0.hasNoRows }
    }

    private func erasures(in transaction: Int64, _ secrets: DatabaseSecrets) -> [Statement] {
        let erased = users.filter(\.value.isErased)
        let ids = SQLValue.texts(erased.keys.map(\.text))
        let noted = erased.compactMap { id, user in user.last.map { (digest: secrets.digest(of: id), mark: $0) } }
        return [
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
            Statement(
                """
                INSERT INTO erased_user (digest, version, as_of, transaction_id)
                SELECT digest, version, as_of, $4::bigint
                FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS noted (digest, version, as_of)
                ON CONFLICT (digest) DO UPDATE
                SET version = excluded.version, as_of = excluded.as_of, transaction_id = excluded.transaction_id
                """,
                .byteStrings(noted.map(\.digest)),
                .numbers(noted.map { Int64($0.mark.version) }),
                .numbers(noted.map(\.mark.asOf.millisecondsSinceEpoch)),
                .number(transaction)
            ),
        ]
    }

    private var states: [Statement] {
        let changed = users.filter(\.value.hasNewState)
        let gone = changed.filter { $0.value.access == nil }.keys.map(\.text)
        return [
            Statement("DELETE FROM user_state WHERE id = ANY($1::text[])", .texts(gone)),
            // An existing row is locked. A missing row may have been added meanwhile, which fails the transaction.
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
                values: Self.values(of: changed.filter(\.value.isStored))
            ),
            Statement(
                "INSERT INTO user_state (\(Self.stateColumns)) SELECT * FROM unnest(\(Self.stateTypes))",
                values: Self.values(of: changed.filter { !$0.value.isStored })
            ),
        ]
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
    private static func values(of users: [UserID: UserRecord]) -> [SQLValue] {
        let states = users.compactMap { id, user in user.state(of: id) }
            .sorted { $0.id.text.bytewise < $1.id.text.bytewise }
        return [.texts(states.map(\.id.text))] + AccessColumns.values(states.map(\.level)) + [
            .texts(states.map { GrantsCoding.text(of: $0.access, $0.timestamps) }),
            .numbers(states.map { Int64($0.version) }),
            .numbers(states.map(\.updatedAt.millisecondsSinceEpoch)),
            .numbers(states.map { ($0.asOf ?? AccessColumns.never).millisecondsSinceEpoch }),
        ]
    }

    private func history(in transaction: Int64) -> Statement {
        let rows = users.flatMap { id, user in user.changes.map { (id: id, change: $0) } }
            .sorted { $0.id.text.bytewise < $1.id.text.bytewise }
        return Statement(
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
                    .texts(rows.map { $0.change.access.flatMap { GrantsCoding.text(of: $0.grants) } }),
                    .numbers(rows.map(\.change.at.millisecondsSinceEpoch)),
                    .texts(rows.map(\.change.author)),
                    .numbers(rows.map { $0.change.asOf?.millisecondsSinceEpoch }),
                    .number(transaction),
                ]
        )
    }

    // MARK: Effective times

    /// The statements that store and delete effective times, and detect a conflict of a state with effective times
    /// that another replica has written at the same time.
    ///
    /// They fail the transaction if it stores effective times and another replica has made the user's state, or the
    /// reverse. Neither row existed, so neither could be locked.
    ///
    /// The key of a state is reserved for the rest of the transaction, so that one of two such transactions waits for
    /// the other. It then sees the other's rows, and copying them onto themselves is a conflict.
    private var timestamps: [Statement] {
        let changed = users.filter(\.value.hasNewTimestamps)
        let kept = changed.compactMapValues(\.kept)
        let absent = SQLValue.texts(kept.keys.map(\.text).sorted { $0.bytewise < $1.bytewise })
        let made = users.filter { !$0.value.isStored && $0.value.access != nil }.keys.map(\.text)
        return [
            Statement(
                "DELETE FROM user_moment WHERE user_id = ANY($1::text[])",
                .texts(changed.filter(\.value.hasStoredKept).keys.map(\.text))
            ),
            Self.statement(storing: kept),
            Statement(
                """
                INSERT INTO user_state (id, level, version, updated_at, as_of)
                SELECT id, 0, 1, 0, 0 FROM unnest($1::text[]) AS absent (id)
                """,
                absent
            ),
            Statement("DELETE FROM user_state WHERE id = ANY($1::text[])", absent),
            Statement(
                "INSERT INTO user_moment SELECT * FROM user_moment WHERE user_id = ANY($1::text[])",
                .texts(made)
            ),
        ]
    }

    /// Returns the statement that stores effective times.
    static func statement(storing timestamps: [UserID: StoredTimestamps]) -> Statement {
        let rows = timestamps.sorted { $0.key.text.bytewise < $1.key.text.bytewise }
        return Statement(
            """
            INSERT INTO user_moment (\(StoredColumnNames.timestamps))
            SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
            """,
            .texts(rows.map(\.key.text)),
            .numbers(rows.map(\.value.level)),
            .texts(rows.map(\.value.grants)),
            .numbers(rows.map(\.value.time.millisecondsSinceEpoch))
        )
    }

    // MARK: Responses, continuations and tokens

    private var answerStatements: [Statement] {
        let new = answers.new
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
                values: keys + [.number(new.map(\.request.horizon).max()?.millisecondsSinceEpoch)]
            ),
            Statement(
                """
                INSERT INTO kept_answer (\(StoredColumnNames.answer))
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
        let forgotten = redemptions.forgotten.map(\.text)
        let end = Statement(
            "UPDATE stored_number SET value = greatest(value, $1::bigint) WHERE name = 'continuations forgotten until'",
            .number(redemptions.forgottenUntil.millisecondsSinceEpoch)
        )
        let new = redemptions.entries.filter { !$0.value.isStored }
            .sorted { $0.key.text.bytewise < $1.key.text.bytewise }
        let spent = redemptions.entries.filter { $0.value.isChanged && $0.value.isStored }.keys.map(\.text)
        let deletion = Statement("DELETE FROM continuation WHERE id = ANY($1::text[])", .texts(forgotten))
        return (forgotten.isEmpty ? [] : [deletion, end]) + [
            Statement(
                """
                INSERT INTO continuation (id, user_id, expires_at, is_spent)
                SELECT id, user_id, expires_at, is_spent <> 0
                FROM unnest($1::text[], $2::text[], $3::bigint[], $4::integer[])
                    AS new (id, user_id, expires_at, is_spent)
                """,
                .texts(new.map(\.key.text)),
                .texts(new.map { $0.value.isUnbound ? secrets.pseudonym(of: $0.value.user) : $0.value.user.text }),
                .numbers(new.map(\.value.end.millisecondsSinceEpoch)),
                .numbers(new.map { $0.value.isSpent ? 1 : 0 })
            ),
            Statement("UPDATE continuation SET is_spent = true WHERE id = ANY($1::text[])", .texts(spent)),
        ]
    }

    private var tokenStatements: [Statement] {
        tokens.new.map { token in
            Statement(
                """
                INSERT INTO service_token (\(StoredColumnNames.token))
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
                .text(GrantsCoding.text(of: token.grants)),
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
