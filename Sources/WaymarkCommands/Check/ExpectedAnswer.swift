import DeepLinkCore
import DeepLinkHTTP

/// Says what a link should be answered with: any members of the body that the API gives.
///
/// `level` is no member of an answer; it names the level that counts for this link.
struct ExpectedAnswer {
    private let members: [String: JSONValue]

    /// The level that counts, unless that of the command.
    let level: AuthorizationLevel?

    /// Reads one line of an NDJSON file.
    ///
    /// - Throws: ``CommandFailure`` of code 65, naming the file and line.
    init(_ bytes: [UInt8], named name: String) throws(CommandFailure) {
        guard case .object(var members) = try JSONInput.parse(bytes, named: name) else {
            throw CommandFailure(.badData, "\(name) is no JSON object.")
        }
        switch members.removeValue(forKey: "level") {
        case nil: level = nil
        case .string(let text)?:
            guard let named = AuthorizationLevel(name: text) else { fallthrough }
            level = named
        default:
            let names = AuthorizationLevel.allCases.map(\.name).joined(separator: ", ")
            throw CommandFailure(.badData, "\(name): `level` is none of \(names).")
        }
        self.members = members
    }

    /// Reads a whole file, a line for each link.
    static func read(_ bytes: [UInt8], named name: String) throws(CommandFailure) -> [ExpectedAnswer] {
        var answers: [ExpectedAnswer] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { $0 > 0x20 }) {
            answers.append(try ExpectedAnswer(Array(line), named: "\(name):\(index + 1)"))
        }
        return answers
    }

    /// Says how an answer differs; `nil` where every expected member is as expected.
    func difference(from body: some WireBody) -> String? {
        guard case .object(let actual)? = try? JSONParser.parse(body.json) else { return "the answer is no object" }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where actual[name] != value {
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
