import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage

/// The output of lines of an audit log in pages, with the user ids that the database knows.
struct AuditOutput {
    let format: OutputFormat

    /// The names of users, or `nil` without a database.
    let names: (any AuditNameStore)?

    /// The number of lines that were added.
    private(set) var count = 0

    /// Whether lines named users, but none is known.
    var knowsNobody: Bool { namedCount > 0 && knownCount == 0 }

    private var namedCount = 0
    private var knownCount = 0
    private var page: [AuditRecord] = []

    /// Creates an empty output.
    init(format: OutputFormat, names: (any AuditNameStore)?) {
        self.format = format
        self.names = names
    }

    /// Adds a line, and prints the page when it is full.
    mutating func add(_ record: AuditRecord) async throws {
        page.append(record)
        count += 1
        // A line has at most four names: its author's, its user's, and the former and current user of a short link.
        if page.count * 4 >= BatchLimits.size { try await finish() }
    }

    /// Prints the remaining lines.
    mutating func finish() async throws {
        let users = try await users()
        namedCount += page.count { !$0.users.isEmpty }
        knownCount += users.count
        for record in page {
            switch format {
            case .json:
                Swift.print(TerminalText.json(Self.json(record, of: record.user.flatMap { users[$0.bytewise] })))
            case .text: print(Self.text(record, users: users))
            }
        }
        page = []
    }

    /// Returns the users of the page's names.
    private func users() async throws -> [ByteText: UserID] {
        let texts = page.flatMap { $0.users + [$0.actor.id].compactMap(\.self) }
        guard let found = try await names?.users(named: Array(Set(texts.compactMap(AuditName.init)))) else {
            return [:]
        }
        return Dictionary(found.map { ($0.key.text.bytewise, $0.value) }) { first, _ in first }
    }

    /// Returns the line unchanged, with a last member for the user's id if it is known.
    private static func json(_ record: AuditRecord, of user: UserID?) -> String {
        guard let user else { return String(decoding: record.bytes, as: UTF8.self) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", user.text)
        }
        return String(decoding: record.bytes.dropLast() + [UInt8(ascii: ",")] + writer.bytes.dropFirst(), as: UTF8.self)
    }

    /// Returns a line for people: time, author, change, object, states before and after, and origin.
    private static func text(_ record: AuditRecord, users: [ByteText: UserID]) -> String {
        func shown(_ name: String) -> String { users[name.bytewise]?.text ?? name }
        let actor = record.actor
        let author = ([actor.kind, actor.id.map(shown)].compactMap(\.self) + (actor.name.map { ["(\($0))"] } ?? []))
            .joined(separator: " ")
        let object = [record.object, record.user.map(shown)].compactMap(\.self).joined(separator: " about ")
        let address = [record.origin.forwarded, record.origin.peer].compactMap(\.self)
        return [
            record.time.rfc3339, author, record.action, object, change(record, shown: shown),
            record.reason.map { "because \($0)" } ?? "",
            address.isEmpty ? "" : "from " + address.joined(separator: " through "),
            record.requestID.map { "request \($0)" } ?? "",
        ]
        .filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func change(_ record: AuditRecord, shown: (String) -> String) -> String {
        func text(_ state: JSONValue) -> String { AuditValue.text(of: state, shown: shown) }
        return switch (record.before, record.after) {
        case (.null, .null): ""
        case (let before, let after) where before == after:
            text(after) + (record.action == AuditAction.replaceShortLink.rawValue ? ", with other values" : "")
        case (let before, let after): "\(text(before)) → \(text(after))"
        }
    }
}

/// A state of an audit log in words.
private enum AuditValue {
    /// Returns the values of a state's members, with their names where needed, and with users formatted by `shown`.
    static func text(of state: JSONValue, shown: (String) -> String) -> String {
        guard case .object(let members) = state, members.count > 0 else {
            return state == .null ? "nothing" : "no level"
        }
        return
            members.map { name, value -> String in
                switch (name.string, value) {
                case ("authorizationLevel", .string(let level)), ("role", .string(let level)): level
                case ("catalogVersion", .string(let version)): version
                case ("grants", .object(let grants)):
                    "with " + grants.map { $0.name.string + end(of: $0.value) }.joined(separator: ", ")
                case ("grants", .array(let grants)): "of " + grants.map(plain).joined(separator: ", ")
                case ("routes", .array(let routes)): routes.map(plain).joined(separator: ", ")
                case ("withdrawn", .bool(true)): "withdrawn"
                case ("about", .string(let name)): "about \(shown(name))"
                case (let name, let value): "\(words[name] ?? name) \(plain(value))"
                }
            }
            .joined(separator: " ")
    }

    private static let words = [
        "validUntil": "until", "levelAfter": "then", "expires": "until", "revokedAt": "revoked",
    ]

    private static func end(of grant: JSONValue) -> String {
        guard case .object(let members) = grant, case .string(let end)? = members["validUntil"] else { return "" }
        return " until \(end)"
    }

    private static func plain(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        var writer = JSONWriter()
        writer.json(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
