import DeepLinkCore
import DeepLinkFormats

/// The answer that a link should get: any members of the body that the API gives, and its `status`.
///
/// `level` is no member of an answer; it names the level that counts for this link. The version of the catalog and the
/// token of a refusal are not compared: a comment changes the one, and the other is new each time.
struct ExpectedAnswer {
    private let members: JSONObject

    /// The level that counts for this link, whatever the command says.
    let level: AuthorizationLevel?

    /// The level that the user has whom the answer was given to.
    let userLevel: AuthorizationLevel?

    /// Reads one line of an NDJSON file.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the file and line.
    init(_ bytes: [UInt8], named name: String) throws(CommandError) {
        guard case .object(var members) = try JSONInput.parse(bytes, named: name) else {
            throw CommandError(.badData, "\(name) is no JSON object.")
        }
        userLevel = Self.userLevel(in: members)
        switch members.remove("level") {
        case nil: level = nil
        case .string(let text)?:
            guard let named = AuthorizationLevel(name: text) else { fallthrough }
            level = named
        default:
            let names = AuthorizationLevel.allCases.map(\.name).joined(separator: ", ")
            throw CommandError(.badData, "\(name): `level` is none of \(names).")
        }
        members.remove("catalogVersion")
        members.remove("continuation")
        self.members = members
    }

    private static func userLevel(in members: JSONObject) -> AuthorizationLevel? {
        let value: JSONValue? =
            if case .object(let level)? = members["authorizationLevel"] { level["user"] } else { members["userLevel"] }
        return if case .string(let name)? = value { AuthorizationLevel(name: name) } else { nil }
    }

    /// Reads a whole file, a line for each link.
    static func read(_ bytes: [UInt8], named name: String) throws(CommandError) -> [ExpectedAnswer] {
        var answers: [ExpectedAnswer] = []
        for (number, line) in InputFile.lines(bytes) where line.contains(where: { $0 > 0x20 }) {
            answers.append(try ExpectedAnswer(Array(line), named: "\(name):\(number)"))
        }
        return answers
    }

    /// Returns how an answer differs; `nil` where every expected member is as expected.
    func difference(from body: some WireBody) -> String? {
        guard case .object(var actual)? = try? JSONParser.parse(body.json) else { return "the answer is no object" }
        // A plan does not say its status; problems do.
        if actual["status"] == nil { actual.set(.integer(200), for: "status") }
        for (name, value) in members.sorted(by: { $0.name < $1.name }) where actual[name] != value {
            return "`\(name)` is \(Self.text(actual[name])), expected \(Self.text(value))"
        }
        return nil
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "absent" }
        var writer = JSONWriter()
        writer.json(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
