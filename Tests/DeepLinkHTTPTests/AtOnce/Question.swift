/// A request of the test: its line, its header fields, and what follows them.
struct Question {
    static let usualFields = "Host: localhost\r\nAccept: */*\r\n"

    let line: String
    private let fields: String
    private var body = ""

    /// Asks what a query says, percent-encoded.
    init(_ query: String, fields: String = usualFields) {
        line = "GET /v1/resolve?\(query) HTTP/1.1"
        self.fields = fields
    }

    init(line: String, fields: String = usualFields, body: String = "") {
        self.line = line
        self.fields = fields
        self.body = body
    }

    /// Whether the answer has no body.
    var isHead: Bool { line.hasPrefix("HEAD") }

    /// The request with one field more, which nothing reads.
    func bytes(_ extra: String = "") -> [UInt8] { Array("\(line)\r\n\(extra)\(fields)\r\n\(body)".utf8) }
}
