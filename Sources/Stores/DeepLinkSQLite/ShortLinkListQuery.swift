import DeepLinkCore
import DeepLinkStorage
import GRDB

/// The rows that a list scans for its links, ordered by number, with the narrowest index that the filter allows.
enum ShortLinkListQuery {
    /// All rows.
    case all

    /// The rows of a condition with one argument.
    case condition(String, DatabaseValue)

    /// The rows of some shapes, withdrawn or not.
    case shapes([Int64], withdrawn: [Bool])

    /// Chooses the rows for a filter.
    init(_ filter: ShortLinkFilter, _ database: Database) throws {
        if let user = filter.about {
            self = .condition("about = ?", user.text.databaseValue)
        } else if let label = filter.label {
            // Read again, since a label that was out of use meanwhile has another number. An unknown label has number
            // 0.
            let number = try InternedTexts().number(of: label.text, kind: .label, database) ?? 0
            self = .condition("label = ?", number.databaseValue)
        } else if filter.route == nil, filter.shapes == nil, filter.storedState != .withdrawn {
            self = .all
        } else {
            let shapes = try InternedTexts.all(.shape, database)
                .filter { filter.includes(ShortLinkShape(text: $0.text)) }
            let withdrawn: [Bool] =
                switch filter.storedState {
                case .any: [false, true]
                case .withdrawn: [true]
                case .current, .expired: [false]
                }
            self = .shapes(shapes.map(\.number), withdrawn: withdrawn)
        }
    }
}

extension ShortLinkReader {
    /// Reads up to `count` rows after a number.
    func rows(of query: ShortLinkListQuery, after number: Int64, count: Int) throws -> [ShortLinkRow] {
        switch query {
        case .all: return try rows("WHERE number > ? ORDER BY number LIMIT ?", [number, count])
        case .condition(let condition, let value):
            return try rows("WHERE \(condition) AND number > ? ORDER BY number LIMIT ?", [value, number, count])
        case .shapes(let shapes, let withdrawn):
            // Each result is sorted by itself. Together, SQLite would have to sort all of them for each page.
            let select = try database.cachedStatement(
                sql: """
                    SELECT number FROM short_link WHERE shape = ? AND is_withdrawn = ? AND number > ?
                    ORDER BY number LIMIT ?
                    """
            )
            var numbers: [Int64] = []
            for shape in shapes {
                for isWithdrawn in withdrawn {
                    numbers += try Int64.fetchAll(select, arguments: [shape, isWithdrawn, number, count])
                }
                if numbers.count > 4 * count { numbers = Array(numbers.sorted().prefix(count)) }
            }
            return try numbers.sorted().prefix(count).flatMap { try rows("WHERE number = ?", [$0]) }
        }
    }
}
