import DeepLinkCore
import DeepLinkStorage

/// Link counts as columns of their two tables.
struct CountRows {
    private var days: [(day: CountedDay, route: ByteText, label: ByteText, addition: CountAddition)] = []
    private var codes: [(code: ByteText, addition: CountAddition)] = []

    /// Splits counts by their tables, in their order.
    init(_ additions: some Sequence<CountAddition>) {
        for addition in additions {
            switch addition.heading {
            case .day(let day, let route, let label): days.append((day, route, label, addition))
            case .code(let code): codes.append((code, addition))
            }
        }
    }

    /// The parameters of statements, starting with `$1`.
    private var values: [SQLValue] {
        [
            .numbers(days.map { Int64($0.day.number) }), .texts(days.map { Self.storable($0.route) }),
            .texts(days.map { Self.storable($0.label) }), .texts(days.map(\.addition.outcome)),
            .numbers(days.map { Int64($0.addition.count) }), .texts(codes.map { Self.storable($0.code) }),
            .texts(codes.map(\.addition.outcome)), .numbers(codes.map { Int64($0.addition.count) }),
        ]
    }

    private static let new = """
        unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::bigint[])
            WITH ORDINALITY AS new (day, route, label, outcome, count, number)
        """

    private static let newOfCodes = """
        unnest($6::text[], $7::text[], $8::bigint[]) WITH ORDINALITY AS new (code, outcome, count, number)
        """

    /// Returns the statement that adds the counts to the stored ones, and inserts a transaction's mark.
    ///
    /// If the mark exists already, nothing is added.
    ///
    /// Totals are not stored for codes of erased links, or of links about a user. The rows of the links are locked, so
    /// that other transactions cannot erase them meanwhile.
    ///
    /// The identity of the mark is in hexadecimal digits. Erased links are recognized by the digests of their codes.
    func insertion(marked id: String, _ secrets: DatabaseSecrets) -> Statement {
        let digests = codes.map { ShortLinkCode($0.code.string).map { secrets.digest(of: $0) } ?? [] }
        return Statement(
            """
            WITH mark AS (
                INSERT INTO commit_mark (id, at, is_fence)
                VALUES ($9::uuid, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, false)
                ON CONFLICT DO NOTHING RETURNING id),
            counted AS MATERIALIZED (
                SELECT code FROM short_link WHERE code = ANY($6::text[]) AND about IS NULL ORDER BY code FOR SHARE),
            codes AS (
                INSERT INTO code_count (code, outcome, count)
                SELECT new.code, outcome, count FROM \(Self.newOfCodes)
                JOIN unnest($10::bytea[]) WITH ORDINALITY AS erased (digest, number) USING (number)
                WHERE EXISTS (SELECT 1 FROM mark)
                    AND (new.code IN (SELECT code FROM counted)
                        OR NOT EXISTS (SELECT 1 FROM short_link AS link WHERE link.code = new.code)
                            AND NOT EXISTS (SELECT 1 FROM erased_short_link AS gone WHERE gone.digest = erased.digest))
                ORDER BY number
                ON CONFLICT (code, outcome) DO UPDATE SET count = code_count.count + excluded.count)
            INSERT INTO link_count (day, route, label, outcome, count)
            SELECT day, route, label, outcome, count FROM \(Self.new)
            WHERE EXISTS (SELECT 1 FROM mark) ORDER BY number
            ON CONFLICT (day, route, label, outcome) DO UPDATE SET count = link_count.count + excluded.count
            """,
            values: values + [.text(id), .byteStrings(digests)]
        )
    }

    /// The statement that inserts the counts into empty tables.
    var copy: Statement {
        Statement(
            """
            WITH codes AS (
                INSERT INTO code_count (code, outcome, count) SELECT code, outcome, count FROM \(Self.newOfCodes))
            INSERT INTO link_count (day, route, label, outcome, count)
            SELECT day, route, label, outcome, count FROM \(Self.new)
            """,
            values: values
        )
    }

    /// The statement that returns how many of these counts are stored unchanged.
    var comparison: Statement {
        Statement(
            """
            SELECT (SELECT count(*) FROM \(Self.new) JOIN link_count USING (day, route, label, outcome, count))
                + (SELECT count(*) FROM \(Self.newOfCodes) JOIN code_count USING (code, outcome, count))
            """,
            values: values
        )
    }

    /// Returns a text without the character that PostgreSQL cannot store, so that one name does not block all counts.
    private static func storable(_ text: ByteText) -> String {
        guard text.string.utf8.contains(0) else { return text.string }
        return String(decoding: text.string.utf8.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}
