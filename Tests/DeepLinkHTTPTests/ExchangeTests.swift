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

    /// Spells a response as files keep it: without what differs each time, and without the lines that nearly all share.
    ///
    /// A response that lacks the field of such a line says so: no file has that.
    private func spelled(_ response: RawResponse) -> String {
        // The length of a request's id differs too.
        let isVaried = response.status == 500
        let varying = ["Date: ", "X-Request-Id: "]
        let head = response.head.filter { line in !varying.contains { line.hasPrefix($0) } }
            .filter { !(isVaried && $0.hasPrefix("Content-Length: ")) }
            .filter { !ExchangeFile.usualLines.contains($0) }
        let lacking = ExchangeFile.usualLines.compactMap { $0.split(separator: ":").first }
            .filter { name in !response.head.contains { $0.hasPrefix("\(name): ") } }
        let body = response.text.replacing(/"requestId":"[0-9a-f]+"/, with: "\"requestId\":\"…\"")
            .replacing(/"continuation":"[A-Za-z0-9_.-]+"/, with: "\"continuation\":\"…\"")
        let lines = head + lacking.map { "(no \($0))" }
        return lines.joined(separator: "\n") + "\n\n" + (body.isEmpty ? "" : body + "\n\n")
    }

    @Test func `files leave out the lines that every response has, and no response lacks their fields`() {
        for file in ExchangeFile.all {
            for exchange in file.exchanges {
                let head = exchange.response.components(separatedBy: "\n\n")[0].components(separatedBy: "\n")
                for line in head {
                    #expect(!ExchangeFile.usualLines.contains(line), "\(file.testDescription): \(line)")
                    #expect(!line.hasPrefix("(no "), "\(file.testDescription): \(line)")
                }
            }
        }
    }

    @Test func `every problem of the server names its request`() {
        let problems = ExchangeFile.all.flatMap(\.exchanges).map(\.response).filter { $0.contains(/"status":5\d\d/) }
        #expect(!problems.isEmpty)
        for problem in problems { #expect(problem.contains(#""requestId":"#), "\(problem)") }
    }

    @Test func `every problem is recorded at least once`() {
        let recorded = ExchangeFile.all.flatMap(\.exchanges).map(\.response).joined()
        // Ten thousand labels are no exchange.
        for code in ProblemCode.allCases where code != .tooManyLabels {
            // The recordings are too long for a message.
            let isRecorded = recorded.contains("\"type\":\"urn:waymark:problem:\(code.rawValue)\"")
            #expect(isRecorded, "\(code.rawValue)")
        }
    }
}
