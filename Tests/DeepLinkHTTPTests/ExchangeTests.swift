import DeepLinkFormats
import DeepLinkHTTP
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

/// Replays recorded exchanges; `WAYMARK_RECORD_EXCHANGES=1` records them anew, to be read before they are kept.
@Suite struct ExchangeTests {
    @Test(arguments: ExchangeFile.all)
    func `the server answers as recorded`(_ file: ExchangeFile) async throws {
        let responses = try await TestServer.application(file.circumstance)
            .whileServing { port in
                var responses: [String] = []
                for exchange in file.exchanges {
                    let connection = try RawConnection(port: port)
                    let isHead = exchange.request.hasPrefix("HEAD")
                    responses.append(spelled(try await connection.exchange(exchange.bytes, isHead: isHead)))
                }
                return responses
            }
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD_EXCHANGES"] == "1" {
            try file.record(responses)
        } else {
            for (exchange, response) in zip(file.exchanges, responses) {
                #expect(response == exchange.response, "\(exchange.request.prefix(200))")
            }
        }
    }

    /// Spells a response as files keep it: without what differs each time.
    private func spelled(_ response: RawResponse) -> String {
        // The length of a request's id differs too.
        let isVaried = response.status == 500
        let varying = ["Date: ", "X-Request-Id: "]
        let head = response.head.filter { line in !varying.contains { line.hasPrefix($0) } }
            .filter { !(isVaried && $0.hasPrefix("Content-Length: ")) }
            .joined(separator: "\n")
        let body = response.text.replacing(/"requestId":"[0-9a-f]+"/, with: "\"requestId\":\"…\"")
            .replacing(/"continuation":"[A-Za-z0-9_.-]+"/, with: "\"continuation\":\"…\"")
        return head + "\n\n" + (body.isEmpty ? "" : body + "\n\n")
    }

    @Test func `every problem of the server names its request`() {
        let problems = ExchangeFile.all.flatMap(\.exchanges).map(\.response).filter { $0.contains(/"status":5\d\d/) }
        #expect(!problems.isEmpty)
        for problem in problems { #expect(problem.contains(#""requestId":"#), "\(problem)") }
    }

    @Test func `every problem is recorded at least once`() {
        let recorded = ExchangeFile.all.flatMap(\.exchanges).map(\.response).joined()
        for code in ProblemCode.allCases {
            #expect(recorded.contains("\"type\":\"urn:waymark:problem:\(code.rawValue)\""), "\(code.rawValue)")
        }
    }
}
