import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A request to an endpoint, admitted and parsed.
///
/// It is a class, so that passing it on counts one reference instead of one for each part.
final class EndpointRequest: Sendable {
    let head: RequestHead

    /// The endpoint, and the text for the names in its path.
    private let destination: RequestDestination

    /// The result of the admission.
    private let admitted: AdmittedRequest

    /// The body, if the endpoint takes an object.
    let body: JSONObjectBody

    /// The bytes of the body, if the endpoint takes an object and answers later.
    let bytes: [UInt8]

    /// The length of the body in bytes, if the endpoint takes an object.
    let byteCount: Int

    /// The body as it arrives, if the endpoint takes lines.
    let lines: RequestBody?

    /// The peer of the connection, if the endpoint responds in a task and it is needed.
    let peer: SocketAddress?

    /// Creates a request from its admitted parts.
    init(
        _ head: RequestHead,
        to destination: RequestDestination,
        as admitted: AdmittedRequest,
        body: JSONObjectBody = .empty,
        bytes: [UInt8] = [],
        byteCount: Int = 0,
        lines: RequestBody? = nil,
        from peer: SocketAddress? = nil
    ) {
        self.head = head
        self.destination = destination
        self.admitted = admitted
        self.body = body
        self.bytes = bytes
        self.byteCount = byteCount
        self.lines = lines
        self.peer = peer
    }

    var caller: Caller { admitted.caller }

    /// The catalog for the whole response.
    var catalog: RouteCatalog { admitted.catalog }

    /// The host of the web link in the target, or `nil` for another endpoint, or a catalog without an https origin.
    var linkHost: String? { admitted.linkHost }

    /// The visitor that requests the page of a web link, or `nil` if a program requests its plan.
    var visitor: PageVisitor? { admitted.visitor }

    /// The API's own query.
    var query: FormQuery { admitted.query }

    /// The text for the name in the endpoint's path, or from the first to the second if there are two.
    var parameter: Substring { destination.parameter ?? "" }

    /// The text for the first name in the endpoint's path.
    var firstParameter: Substring { Substring(parameter.utf8.prefix { $0 != UInt8(ascii: "/") }) }

    /// The text for the last name in the endpoint's path.
    var lastParameter: Substring {
        parameter.utf8.lastIndex(of: UInt8(ascii: "/")).map { parameter[parameter.utf8.index(after: $0)...] }
            ?? parameter
    }

    /// Returns the user named by a field of the request, its header, or its caller, for the level in effect.
    ///
    /// - Throws: `Problem` if two of them differ, or an id is malformed.
    func user(named name: String?) throws(Problem) -> UserID? {
        try RequestedUser.user(name, header: head.fields.user, of: caller)
    }
}

/// The result of an admission, from which the request is answered.
///
/// It is a class, so that passing it on counts one reference instead of one for each part.
final class AdmittedRequest: Sendable {
    let caller: Caller

    /// The catalog for the whole response.
    let catalog: RouteCatalog

    /// The API's own query.
    ///
    /// It is empty if the request isn't to an endpoint of the API.
    let query: FormQuery

    /// The host of the web link in the request, or `nil` for another request, or a catalog without an https origin.
    let linkHost: String?

    /// The visitor that requests the page of a web link, or `nil` if a program requests its plan.
    let visitor: PageVisitor?

    /// Creates a result from its parts.
    init(
        caller: Caller,
        catalog: RouteCatalog,
        query: FormQuery,
        linkHost: String?,
        visitor: PageVisitor? = nil
    ) {
        self.caller = caller
        self.catalog = catalog
        self.query = query
        self.linkHost = linkHost
        self.visitor = visitor
    }
}

/// The name of the server's response where an endpoint makes it.
typealias EndpointResponse = ServerResponse

extension ServerResponse {
    /// Creates a response with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, fields: HTTPFields = HTTPFields()) {
        self.init(.bytes(body.json), status: status, fields: fields)
    }

    /// Creates a response with a problem.
    init(_ problem: Problem) {
        self.init(
            .bytes(problem.json),
            ofType: ServerResponse.problemType,
            status: HTTPResponse.Status(problem.code),
            fields: problem.headers.isEmpty ? [:] : HTTPFields(problem.headers)
        )
    }

    /// Creates a response with its own JSON, already written.
    init(json: [UInt8], fields: HTTPFields) {
        self.init(.bytes(json), fields: fields)
    }

    /// Creates a response with a problem, already written.
    init(problem code: ProblemCode, json: [UInt8], fields: HTTPFields) {
        self.init(.bytes(json), ofType: ServerResponse.problemType, status: HTTPResponse.Status(code), fields: fields)
    }

    /// Creates a response of another type than JSON.
    init(_ type: MediaType, bytes: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = HTTPFields()) {
        self.init(.bytes(bytes), ofType: type.rawValue, status: status, fields: fields)
    }

    /// Creates a response with a body that is written as it is produced.
    init(stream: ResponseBody, _ mediaType: MediaType) {
        self.init(.stream(stream), ofType: mediaType.rawValue)
    }

    /// Creates the response that was stored for a retried request.
    init(_ kept: StoredResponse) {
        let status = HTTPResponse.Status(integerLiteral: kept.status)
        let fields: HTTPFields = kept.tag.map { [.eTag: $0] } ?? [:]
        if kept.body.isEmpty {
            self.init(status: status, fields: fields)
        } else {
            self.init(.bytes(kept.body), status: status, fields: fields)
        }
    }

    /// Returns the part of the response that is stored for a request, or `nil` if the response isn't successful, or its
    /// body isn't its own JSON.
    func kept(to request: KeyedRequest) -> StoredResponse? {
        guard status.kind == .successful else { return nil }
        let bytes: [UInt8]
        switch body {
        case .none: bytes = []
        case .bytes(let own): bytes = own
        case .shared, .stream: return nil
        }
        return StoredResponse(digest: request.digest, status: status.code, tag: fields[.eTag], body: bytes)
    }
}

extension HTTPResponse.Status {
    /// Creates the status of a problem's response.
    init(_ code: ProblemCode) { self.init(code: code.status) }
}

extension HTTPFields {
    /// Creates the fields of a problem's response.
    fileprivate init(_ headers: ProblemHeaders) {
        self.init()
        for (name, value) in headers.fields {
            if let name = HTTPField.Name(name.text) { append(HTTPField(name: name, value: value)) }
        }
    }
}

extension Problem {
    /// Returns the same problem with additional header fields.
    func adding(_ fields: HTTPFields) -> Problem {
        adding(ProblemHeaders(fields.map { (ProblemHeaders.Name($0.name.rawName), $0.value) }))
    }
}

extension EndpointRequest {
    /// Returns the maximum number of items on the page.
    func pageSize(default defaultSize: Int = 100, maximum: Int = 1000) throws(Problem) -> Int {
        guard let text = try query.text("limit") else { return defaultSize }
        guard let size = DecimalText.parseInt(text.utf8), (1...maximum).contains(size) else {
            throw .invalidValue(
                field: "limit",
                detail: "`limit` is `\(text)`; write a whole number from 1 to \(maximum)."
            )
        }
        return size
    }

    /// Returns the version after which a page of a history begins, or 0 for the first page.
    func versionBeforePage() throws(Problem) -> Int {
        guard let text = try query.text("after") else { return 0 }
        guard let version = DecimalText.parseInt(text.utf8), version >= 0 else {
            throw .invalidValue(
                field: "after",
                detail: "`after` is `\(text)`; write a version, such as `next` of the page before."
            )
        }
        return version
    }
}

extension EndpointRequest {
    /// Returns the user id in the path.
    func userID() throws(Problem) -> UserID {
        try RequestedUser.id(try Self.text(firstParameter, field: "id", named: "user id"), field: "id")
    }

    /// Returns the text of a short link's code in the path.
    func codeText() throws(Problem) -> String { try Self.text(firstParameter, field: "code", named: "code") }

    /// Returns the text of a grant's name in the path.
    func grantText() throws(Problem) -> String { try Self.text(lastParameter, field: "name", named: "grant") }

    /// Returns the text of a segment, which is percent-encoded in the path.
    @inline(__always)
    private static func text(_ segment: Substring, field: String, named name: String) throws(Problem) -> String {
        guard let text = FormURLDecoding.decode(segment.utf8, plusIsSpace: false).flatMap(FormURLDecoding.text) else {
            throw .malformed(field: field, detail: "The \(name) in the path is not percent-encoded UTF-8.")
        }
        return text
    }
}
