import Foundation
import Testing
import WaymarkTestSupport

/// One file of recorded exchanges: requests, and the whole responses to them.
///
/// `# server:` names the circumstances; `>>>` begins a request and `<<<` its response. In a request, `{{n*c}}`
/// stands for a character repeated, `{{admin}}` for a token of ``TestToken``, and `Content-Length` is added if there is a body.
/// Responses leave out the header lines of ``usualLines``, and have those that differ from them.
struct ExchangeFile: Sendable, CustomTestStringConvertible {
    struct Exchange: Sendable {
        let request: String
        let response: String
    }

    /// The header lines that a response has unless its file shows another value (`Tests/Contract/exchanges.py` reads them here).
    static let usualLines = [
        "X-Content-Type-Options: nosniff",
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        "Cache-Control: no-store",
    ]

    let url: URL
    let preamble: String
    let circumstance: TestServer.Circumstance
    let exchanges: [Exchange]

    var testDescription: String { url.lastPathComponent }

    static let all: [ExchangeFile] = {
        let urls = (try? Checkout.files(in: "Tests/DeepLinkHTTPTests/Exchanges", withExtension: "http")) ?? []
        return urls.map(ExchangeFile.init)
    }()

    init(_ url: URL) {
        self.url = url
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        var parts = text.components(separatedBy: ">>>\n")
        preamble = parts.removeFirst()
        circumstance =
            preamble.split(separator: "\n").first { $0.hasPrefix("# server: ") }
            .flatMap { TestServer.Circumstance(rawValue: String($0.dropFirst(10))) } ?? .usual
        exchanges = parts.map { part in
            let sides = part.components(separatedBy: "<<<\n")
            return Exchange(request: sides[0], response: sides.count > 1 ? sides[1] : "")
        }
    }

    /// Writes the file with other responses.
    func record(_ responses: [String]) throws {
        let parts = zip(exchanges, responses).map { ">>>\n\($0.request)<<<\n\($1)" }
        try (preamble + parts.joined()).write(to: url, atomically: true, encoding: .utf8)
    }
}

extension ExchangeFile.Exchange {
    /// The request as bytes.
    var bytes: [UInt8] {
        let sides = request.components(separatedBy: "\n\n")
        var lines = sides[0].split(separator: "\n").map(expanded)
        let body =
            sides.count > 1
            ? expanded(sides[1...].joined(separator: "\n\n").trimmingCharacters(in: .newlines)[...]) : ""
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    private func expanded(_ text: Substring) -> String {
        var parts = text.components(separatedBy: "{{")
        var result = parts.removeFirst()
        for part in parts {
            let sides = part.components(separatedBy: "}}")
            let count = sides[0].prefix { $0 != "*" }
            result +=
                TestToken(rawValue: sides[0])?.text
                ?? String(repeating: String(sides[0].dropFirst(count.count + 1)), count: Int(count) ?? 0)
            result += sides.dropFirst().joined(separator: "}}")
        }
        return result
    }
}
