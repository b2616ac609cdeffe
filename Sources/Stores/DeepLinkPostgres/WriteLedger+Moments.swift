import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// The moments to be kept of users without a state, as far as they are new.
    var keptMoments: [UserID: KeptMoments] {
        users.filter(\.value.hasNewKeptMoments).compactMapValues(\.kept)
    }

    /// Returns the statements that keep moments.
    static func statements(keeping moments: [UserID: KeptMoments]) -> [Statement] {
        guard !moments.isEmpty else { return [] }
        let rows = moments.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        return [
            Statement(
                """
                INSERT INTO user_moment (\(UserRows.momentColumns))
                SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
                """,
                .texts(rows.map(\.key.text)),
                .numbers(rows.map(\.value.level)),
                .texts(rows.map(\.value.grants)),
                .numbers(rows.map(\.value.time.millisecondsSinceEpoch))
            )
        ]
    }

    /// The statement that deletes kept moments which are replaced or no longer needed, to be run before others are kept.
    var momentDeletions: [Statement] {
        let replaced = users.filter { $0.value.hasNewKeptMoments && $0.value.hasStoredKept }.keys.map(\.text)
        guard !replaced.isEmpty else { return [] }
        return [Statement("DELETE FROM user_moment WHERE user_id = ANY($1::text[])", .texts(replaced))]
    }

    /// The statements that fail the transaction if another replica has made the state of a user whose moments are kept,
    /// or has kept moments of a user whose state is made: neither row existed, so neither could be locked.
    ///
    /// The key of a state is taken for the rest of the transaction, so that of two such transactions one waits for the
    /// other; its rows are then seen, and copying them onto themselves is a conflict.
    var momentGuards: [Statement] {
        var statements: [Statement] = []
        let absent = keptMoments.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if !absent.isEmpty {
            statements += [
                Statement(
                    """
                    INSERT INTO user_state (id, level, version, updated_at, as_of)
                    SELECT id, 0, 1, 0, 0 FROM unnest($1::text[]) AS absent (id)
                    """,
                    .texts(absent)
                ),
                Statement("DELETE FROM user_state WHERE id = ANY($1::text[])", .texts(absent)),
            ]
        }
        let made = users.filter { !$0.value.isStored && $0.value.access != nil }.keys.map(\.text)
        if !made.isEmpty {
            statements.append(
                Statement(
                    "INSERT INTO user_moment SELECT * FROM user_moment WHERE user_id = ANY($1::text[])",
                    .texts(made)
                )
            )
        }
        return statements
    }
}
