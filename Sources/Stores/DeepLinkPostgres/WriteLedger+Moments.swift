import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// The effective times to store for users without a state, if they are new.
    var keptMoments: [UserID: KeptMoments] {
        users.filter(\.value.hasNewKeptMoments).compactMapValues(\.kept)
    }

    /// Returns the statements that store effective times.
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

    /// The statement that deletes effective times which are replaced or no longer needed, to run before others are
    /// stored.
    var momentDeletions: [Statement] {
        let replaced = users.filter { $0.value.hasNewKeptMoments && $0.value.hasStoredKept }.keys.map(\.text)
        guard !replaced.isEmpty else { return [] }
        return [Statement("DELETE FROM user_moment WHERE user_id = ANY($1::text[])", .texts(replaced))]
    }

    /// The statements that detect a conflict of a state with effective times that another replica has written at the
    /// same time.
    ///
    /// They fail the transaction if it stores effective times and another replica has made the user's state, or the
    /// reverse. Neither row existed, so neither could be locked.
    ///
    /// The key of a state is reserved for the rest of the transaction, so that one of two such transactions waits for
    /// the other. It then sees the other's rows, and copying them onto themselves is a conflict.
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
