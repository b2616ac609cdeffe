import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// Returns the statements that read and lock the short links of changes.
    static func shortLinks(_ needs: [RequiredShortLinkRows], _ secrets: DatabaseSecrets) -> [Reading] {
        let codes = Set(needs.flatMap(\.codes))
        let names = Set(needs.flatMap(\.names)).map(\.text)
        let users = Set(needs.flatMap(\.erasures)).map(\.text)
        guard !codes.isEmpty || !users.isEmpty else { return [] }
        let folded = Set(codes.map(\.folded))
        var readings = turns(needs, secrets)
        readings.append(
            Reading(
                """
                SELECT \(ShortLinkRows.columns) FROM \(ShortLinkRows.tables)
                WHERE link.folded = ANY($1::text[]) OR link.name = ANY($2::text[])
                    OR link.about = ANY($3::text[])
                ORDER BY link.code FOR UPDATE OF link
                """,
                .texts(folded.map(\.text)),
                .texts(names),
                .texts(users)
            ) { ledger, row throws(PostgresError) in
                let link = try ShortLink(row)
                guard link.version < 1 << 62 else { throw .unexpected("a version without a next one") }
                ledger.shortLinks.read(link)
            }
        )
        if !folded.isEmpty { readings.append(erased(Array(folded), secrets)) }
        let labels = Set(needs.flatMap(\.labels))
        if !labels.isEmpty { readings += self.labels(labels.map(\.text)) }
        return readings + needs.flatMap(\.quotas).map(count)
    }

    /// Waits for the transactions that make links of the same codes, or for the same users.
    ///
    /// An imported code may differ only in case from other imported codes, but not from any other code, and an erased
    /// code is taken in every case. PostgreSQL's indexes cannot express these rules, so the transactions that they
    /// concern run one after the other. The same applies to quotas. Random codes need no turn, since codes made
    /// meanwhile differ from them.
    private static func turns(_ needs: [RequiredShortLinkRows], _ secrets: DatabaseSecrets) -> [Reading] {
        let codes = Set(needs.flatMap(\.givenCodes).map(\.folded)).map { secrets.digest(of: $0) }
        let users = Set(needs.flatMap(\.quotas).map(\.user)).map { secrets.digest(of: $0) }
        let numbers = Set((codes + users).compactMap(\.first)).sorted()
        guard !numbers.isEmpty else { return [] }
        var turns = Reading(
            "SELECT number FROM short_link_turn WHERE number = ANY($1::bigint[]) ORDER BY number FOR UPDATE",
            .numbers(numbers.map { Int64($0) })
        )
        turns.expected = (numbers.count, "turns that are gone")
        return [turns]
    }

    /// Reads which codes belonged to erased links.
    private static func erased(_ codes: [ShortLinkCode], _ secrets: DatabaseSecrets) -> Reading {
        var owners: [[UInt8]: ShortLinkCode] = [:]
        for code in codes { owners[secrets.digest(of: code)] = code }
        return Reading(
            "SELECT digest FROM erased_short_link WHERE digest = ANY($1::bytea[])",
            .byteStrings(Array(owners.keys))
        ) { [owners] ledger, row throws(PostgresError) in
            if let code = owners[try row.bytes(0)] { ledger.shortLinks.readErased(code) }
        }
    }

    /// Reads which labels are in use.
    ///
    /// If there is a new one, also reads how many, one replica after the other.
    private static func labels(_ texts: [String]) -> [Reading] {
        let isFurther = """
            EXISTS (SELECT 1 FROM unnest($1::text[]) AS asked (text)
                WHERE NOT EXISTS (SELECT 1 FROM short_link_label AS label WHERE label.text = asked.text))
            """
        return [
            Reading(
                "SELECT value FROM stored_number WHERE name = 'short link labels' AND \(isFurther) FOR UPDATE",
                .texts(texts)
            ),
            Reading(
                """
                DELETE FROM short_link_label AS label WHERE \(isFurther)
                    AND (SELECT count(*) FROM short_link_label) >= \(ShortLinkLabel.maximumCount)
                    AND NOT EXISTS (SELECT 1 FROM short_link AS link WHERE link.label = label.text)
                """,
                .texts(texts)
            ),
            Reading(
                """
                SELECT NULL::text, CASE WHEN \(isFurther) THEN (SELECT count(*) FROM short_link_label) ELSE 0 END
                UNION ALL SELECT text, NULL::bigint FROM short_link_label WHERE text = ANY($1::text[])
                """,
                .texts(texts)
            ) { ledger, row throws(PostgresError) in
                if let text = try row.optionalText(0) {
                    if let label = ShortLinkLabel(text) { ledger.shortLinks.read(label) }
                } else {
                    ledger.shortLinks.labelCount = Int(try row.number(1))
                }
            },
        ]
    }

    private static func count(_ quota: ShortLinkQuota) -> Reading {
        Reading(
            "SELECT count(*) FROM short_link WHERE about = $1::text AND created_at >= $2::bigint",
            .text(quota.user.text),
            .number(quota.since.millisecondsSinceEpoch)
        ) { ledger, row throws(PostgresError) in
            ledger.shortLinks.readCount(Int(try row.number(0)), of: quota.user)
        }
    }

    /// Returns the statements that write the short links: deletions first.
    func shortLinkStatements(_ secrets: DatabaseSecrets) -> [Statement] {
        let erased = SQLValue.texts(shortLinks.erased.map(\.code.text))
        // Lists have the order of creation. The other rows have the same order on all replicas, which lock them.
        let made = shortLinks.made
        let replaced = shortLinks.replaced.sorted { $0.code.text.bytewise < $1.code.text.bytewise }
        return [
            Statement("DELETE FROM short_link_history WHERE code = ANY($1::text[])", erased),
            Statement("DELETE FROM short_link WHERE code = ANY($1::text[])", erased),
            Statement(
                "INSERT INTO erased_short_link (digest) SELECT * FROM unnest($1::bytea[]) ON CONFLICT DO NOTHING",
                .byteStrings(Array(Set(shortLinks.erased.map { secrets.digest(of: $0.code) })))
            ),
            Statement(
                "DELETE FROM code_count WHERE code = ANY($1::text[])",
                .texts(shortLinks.uncounted.map(\.text))
            ),
        ]
            + Self.statements(
                adding: made.compactMap(\.link),
                replacing: replaced.compactMap(\.link),
                history: (made + replaced).flatMap { record in record.newHistory.map { (record.code, $0) } }
            )
    }

    /// Returns the statements that write links and changes unchanged.
    static func statements(
        adding new: [ShortLink],
        replacing old: [ShortLink],
        history: [(code: ShortLinkCode, change: ShortLinkChange)]
    ) -> [Statement] {
        let shapes = Set((new + old).map(\.contents.target.shape) + history.map(\.change.target.shape))
            .sorted { $0.text.bytewise < $1.text.bytewise }
        let labels = Set((new + old).compactMap(\.contents.label)).map(\.text).sorted { $0.bytewise < $1.bytewise }
        return [
            Statement(
                """
                INSERT INTO short_link_shape (digest, text) SELECT * FROM unnest($1::bytea[], $2::text[])
                ON CONFLICT DO NOTHING
                """,
                .byteStrings(shapes.map(ShortLinkRows.digest)),
                .texts(shapes.map(\.text))
            ),
            Statement(
                "INSERT INTO short_link_label (text) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING",
                .texts(labels)
            ),
            Statement(
                """
                UPDATE short_link AS link SET (\(columns)) = ROW(\(newColumns))
                FROM unnest(\(types)) AS new (\(columns)) WHERE link.code = new.code
                """,
                values: values(of: old)
            ),
            Statement(
                """
                INSERT INTO short_link (\(columns)) SELECT \(newColumns)
                FROM unnest(\(types)) WITH ORDINALITY AS new (\(columns), place) ORDER BY new.place
                """,
                values: values(of: new)
            ),
            insertion(of: history),
        ]
    }

    private static let names = [
        "code", "folded", "kind", "is_withdrawn", "shape", "parameters", "target", "host", "label", "author", "name",
        "terms", "about", "expires_at", "signed_until", "version", "created_at", "updated_at",
    ]

    private static let columns = names.joined(separator: ", ")
    private static let newColumns = names.map { "new.\($0)" }.joined(separator: ", ")

    /// The types of ``columns``.
    private static let types = [
        "text", "text", "smallint", "boolean", "bytea", "bytea", "text", "text", "text", "text", "text", "bytea",
        "text",
        "bigint", "bigint", "bigint", "bigint", "bigint",
    ]
    .enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", ")

    /// Returns the values of ``columns``.
    private static func values(of links: [ShortLink]) -> [SQLValue] {
        let contents = links.map(\.contents)
        return [
            .texts(links.map(\.code.text)), .texts(links.map(\.code.folded.text)),
            .numbers(links.map { Int64($0.kind.rawValue) }),
            .texts(contents.map { $0.isWithdrawn ? "true" : "false" }),
            .byteStrings(contents.map { ShortLinkRows.digest(of: $0.target.shape) }),
            .byteStrings(contents.map(\.target.values)),
            .texts(contents.map(\.target.text)), .texts(contents.map(\.host)), .texts(contents.map(\.label?.text)),
            .texts(links.map(\.author)), .texts(links.map(\.naming?.name.text)),
            .byteStrings(links.map { $0.naming?.terms ?? [] }),
            .texts(contents.map(\.about?.text)),
            .numbers(contents.map(\.expires?.millisecondsSinceEpoch)),
            .numbers(contents.map(\.signature?.stored)),
            .numbers(links.map { Int64($0.version) }),
            .numbers(links.map(\.createdAt.millisecondsSinceEpoch)),
            .numbers(links.map(\.updatedAt.millisecondsSinceEpoch)),
        ]
    }

    private static func insertion(of history: [(code: ShortLinkCode, change: ShortLinkChange)]) -> Statement {
        let changes = history.map(\.change)
        return Statement(
            """
            INSERT INTO short_link_history
                (code, version, shape, parameters, target, label, expires_at, is_withdrawn, at, author)
            SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bytea[], $5::text[], $6::text[],
                $7::bigint[], $8::boolean[], $9::bigint[], $10::text[])
            """,
            .texts(history.map(\.code.text)),
            .numbers(changes.map { Int64($0.version) }),
            .byteStrings(changes.map { ShortLinkRows.digest(of: $0.target.shape) }),
            .byteStrings(changes.map(\.target.values)),
            .texts(changes.map(\.target.text)),
            .texts(changes.map(\.label?.text)),
            .numbers(changes.map(\.expires?.millisecondsSinceEpoch)),
            .texts(changes.map { $0.isWithdrawn ? "true" : "false" }),
            .numbers(changes.map(\.at.millisecondsSinceEpoch)),
            .texts(changes.map(\.author))
        )
    }
}
