import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

/// A public report about deep links, or the table of an app's own tests: a catalog, requests, and the right answers.
struct PublicReportCase: Sendable, CustomTestStringConvertible {
    /// A request with the right answer to it.
    struct Check: Sendable {
        /// The place of the check in its case, from 1 on.
        let number: Int

        fileprivate let values: JSONObject
    }

    let id: String
    let catalog: String

    /// Whether the catalog may be refused instead.
    let mayBeRefused: Bool

    /// The checks, without those of what no catalog says.
    let checks: [Check]

    var testDescription: String { id }

    /// Every case; a file that cannot be read ends the run.
    static let all: [PublicReportCase] = {
        do {
            let file = try JSONParser.parse(Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/reports.json"))
            return file["cases"].items.map(PublicReportCase.init)
        } catch {
            preconditionFailure("the reports cannot be read: \(error)")
        }
    }()

    private init(_ json: JSONValue) {
        id = json["id"].text
        catalog = json["catalog"].text
        mayBeRefused = json["orRefused"] == .bool(true)
        checks = json["checks"].items.enumerated().filter { $1["open"] == .null }
            .map { Check(number: $0 + 1, values: $1.object) }
    }
}

extension PublicReportCase.Check {
    /// The request, as it is sent.
    var request: [UInt8] {
        guard text("do") == "http" else {
            var body = values["with"]?.object ?? JSONObject()
            body.set(.string(text("link")), for: "link")
            return Self.request("POST", "/v1/resolve", body: .object(body))
        }
        return Self.request(text("method"), text("path"), fields: values["headers"]?.object, body: values["body"])
    }

    private func text(_ name: ByteText) -> String { values[name]?.text ?? "" }

    private static func request(
        _ method: String,
        _ path: String,
        fields: JSONObject? = nil,
        body: JSONValue?
    ) -> [UInt8] {
        var fields = fields ?? JSONObject()
        if fields["Host"] == nil { fields.set(.string("localhost"), for: "Host") }
        var writer = JSONWriter()
        if let body {
            writer.json(body)
            fields.set(.string("application/json"), for: "Content-Type")
            fields.set(.string("\(writer.bytes.count)"), for: "Content-Length")
        }
        let lines = ["\(method) \(path) HTTP/1.1"] + fields.map { "\($0.string): \($1.text)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + writer.bytes
    }

    // MARK: Answers

    /// Returns how an answer differs from the right one, member by member.
    func differences(from response: RawResponse) -> [String] {
        let answer = (try? JSONParser.parse(response.body)) ?? .null
        return (values["want"]?.object ?? JSONObject())
            .compactMap { name, wanted in
                guard let isRight = isRight(name.string, wanted, in: answer, response) else {
                    return "`\(name)` of the right answer is not compared"
                }
                return isRight ? nil : "`\(name)`: \(response.status) \(response.text.prefix(2_000))"
            }
    }

    /// Returns whether a member of the right answer is that of the answer; `nil` for a member of an unknown name.
    private func isRight(
        _ name: String,
        _ wanted: JSONValue,
        in answer: JSONValue,
        _ response: RawResponse
    ) -> Bool? {
        switch name {
        case "status": .integer(Int64(response.status)) == wanted
        case "has", "says": wanted.items.allSatisfy { response.text.contains($0.text) }
        case "json": wanted.object.allSatisfy { answer[$0] == $1 }
        case "stack": answer["stack"].items.map(Self.destination) == wanted.items
        case "gate": answer["gate"]["stack"].items.map { $0["route"] } == wanted.items
        case "user": answer["authorizationLevel"]["user"] == wanted
        case "transition":
            wanted.items
                == [answer["transition"]["keep"], answer["transition"]["dismiss"]]
                + [.array(answer["transition"]["present"].items.map { $0["route"] })]
        case "problem":
            (wanted.items.isEmpty ? [wanted] : wanted.items)
                .contains { answer["type"].text == "urn:waymark:problem:\($0.text)" }
        case "canonicalLink", "unusedQuery", "unusedFragment": answer[name.bytewise] == wanted
        default: nil
        }
    }

    private static func destination(_ json: JSONValue) -> JSONValue {
        .array([json["route"], json["presentation"], json["parameters"]])
    }
}

extension JSONValue {
    /// The member of an object; null if there is none.
    fileprivate subscript(name: ByteText) -> JSONValue { object[name] ?? .null }

    fileprivate var object: JSONObject { if case .object(let members) = self { members } else { JSONObject() } }

    fileprivate var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}
