import DeepLinkCore
import DeepLinkFormats
import Hummingbird
import HummingbirdTesting
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Compares the OpenAPI document with the code; `scripts/prove contract` compares it with what the server answers.
@Suite struct OpenAPITests {
    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private let file: [UInt8]
    private let document: JSONValue

    init() throws {
        file = try Checkout.bytes("Sources/Apps/EmbeddedFiles/openapi.json")
        document = try JSONParser.parse(file)
    }

    @Test func `the server serves the file`() async throws {
        let file = file
        try await TestServer.application()
            .test(.router) { client in
                let response = try await client.execute(uri: "/openapi.json", method: .get)
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "application/json")
                #expect(Array(response.body.readableBytesView) == file)
                let tag = try #require(response.headers[.eTag])
                let known = try await client.execute(
                    uri: "/openapi.json",
                    method: .get,
                    headers: [.ifNoneMatch: tag]
                )
                #expect(known.status == .notModified)
                #expect(known.headers[.eTag] == tag)
                #expect(known.body.readableBytes == 0)
            }
    }

    @Test func `every endpoint is in the document, and nothing else`() throws {
        let served = try TestServer.endpoints().map { "\($0.method.rawValue) \($0.path)" } + ["GET /{link}"]
        var documented: [String] = []
        for (path, item) in try #require(document["paths"]?.members) {
            for method in Self.methods where item[method] != nil { documented.append("\(method.uppercased()) \(path)") }
        }
        #expect(documented.sorted() == served.sorted())
    }

    @Test func `every operation has a name, a summary, a description and its callers`() throws {
        var names: Set<String> = []
        for (path, item) in try #require(document["paths"]?.members) {
            for method in Self.methods {
                guard let operation = item[method] else { continue }
                let name = try #require(operation["operationId"]?.text, "\(method) \(path)")
                #expect(names.insert(name).inserted, "\(name)")
                #expect(operation["summary"]?.text?.isEmpty == false, "\(name)")
                #expect(operation["description"]?.text?.isEmpty == false, "\(name)")
                #expect(operation["security"] != nil, "\(name)")
            }
        }
    }

    @Test(arguments: ProblemCode.allCases)
    func `every problem is in the document as it is answered`(_ code: ProblemCode) throws {
        let schemas = try #require(document["components"]?["schemas"]?.members)
        let kinds = schemas.compactMap { $0.value["properties"] }
            .filter { $0["type"]?["const"]?.text == "urn:waymark:problem:\(code.rawValue)" }
        try #require(kinds.count == 1)
        #expect(kinds[0]["title"]?["const"]?.text == code.title)
        #expect(kinds[0]["status"]?["const"] == .integer(Int64(code.status)))
    }

    @Test func `answers may gain members, and requests have those that are described`() throws {
        let requests = [
            "Destination", "ResolveRequest", "ContinuationRequest", "StackLinkRequest", "DestinationLinkRequest",
            "UserStateRequest", "GrantRequest", "AssociationQuestion", "AudienceUser", "ShortLinkRequest",
            "ShortLinkLine",
        ]
        for (name, schema) in try #require(document["components"]?["schemas"]?.members) {
            let isRequest = requests.contains(name.string)
            #expect((schema["additionalProperties"] == .bool(false)) == isRequest, "\(name.string)")
            #expect(isRequest || !schema.isClosed, "\(name.string)")
        }
    }

    @Test func `no link has a body, which generators refuse`() throws {
        for (name, link) in try #require(document["components"]?["links"]?.members) {
            #expect(link["requestBody"] == nil, "\(name.string)")
        }
    }

    @Test func `every component is used`() throws {
        let text = String(decoding: file, as: UTF8.self)
        for (kind, components) in try #require(document["components"]?.members) where kind.string != "securitySchemes" {
            for name in try #require(components.members).names where name != "MethodNotAllowed" || kind != "responses" {
                #expect(text.contains("\"#/components/\(kind)/\(name)\""), "\(kind)/\(name)")
            }
        }
    }
}

extension JSONValue {
    fileprivate var members: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// Whether an object in it has no room for other members.
    fileprivate var isClosed: Bool {
        switch self {
        case .object(let object):
            ["additionalProperties", "unevaluatedProperties"].contains { self[$0] == .bool(false) }
                || object.contains { $0.value.isClosed }
        case .array(let items): items.contains(where: \.isClosed)
        default: false
        }
    }

    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    fileprivate subscript(key: String) -> JSONValue? { members?[key.bytewise] }
}
