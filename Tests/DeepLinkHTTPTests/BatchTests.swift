import DeepLinkFormats
import DeepLinkHTTP
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import HTTPServer

@Suite struct BatchTests {
    private static let head = """
        POST /v1/resolve/batch HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/x-ndjson\r
        Transfer-Encoding: chunked\r
        \r

        """

    private func chunk(_ text: String) -> [UInt8] {
        Array((String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n").utf8)
    }

    private func exchange(_ body: String) async throws -> [Substring] {
        try await TestServer.application()
            .whileServing { port in
                let connection = try RawConnection(port: port)
                let request = Array(Self.head.utf8) + chunk(body) + Array("0\r\n\r\n".utf8)
                let response = try await connection.exchange(request)
                #expect(response.status == 200)
                return response.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            }
    }

    @Test func `a line is answered before the next is sent`() async throws {
        try await TestServer.application()
            .whileServing { port in
                let connection = try RawConnection(port: port)
                var request = Array(Self.head.utf8)
                for number in 1...5 {
                    request += chunk("{\"link\":\"navigation:/nowhere/\(number)\"}\n")
                    _ = try await connection.exchange(request, until: "\"unmatched\":[\"nowhere\",\"\(number)\"]")
                    request = []
                }
                let rest = try await connection.exchange(Array("0\r\n\r\n".utf8), until: "0\r\n\r\n")
                #expect(!rest.contains("urn:"))
            }
    }

    @Test func `a stream that lasts too long is ended, whatever drips`() async throws {
        let load = ServerLoad(maximumWork: 1024, maximumStreamDuration: .seconds(2))
        try await TestServer.application(load: load)
            .whileServing { port in
                let connection = try RawConnection(port: port)
                let lineFeed = chunk("\n")
                let received = try await RawConnection.offPool {
                    try connection.send(Array(Self.head.utf8))
                    var received = ""
                    // A line feed now and then keeps no connection for ever.
                    while !received.contains("0\r\n\r\n") {
                        try connection.send(lineFeed)
                        guard try connection.hasInput(within: 0.2) else { continue }
                        let bytes = try connection.receiveSome()
                        guard !bytes.isEmpty else { break }
                        received += String(decoding: bytes, as: UTF8.self)
                    }
                    return received
                }
                #expect(received.contains("urn:waymark:problem:overloaded"))
                #expect(received.contains("The batch takes longer than 2 seconds"))
            }
    }

    @Test func `every line that is not empty has its answer, whatever it holds`() async throws {
        let lines = [
            #"{"link":"navigation:/onboarding"}"#, "   ", "{", #"{"link":7}"#, "[]", "null", "\u{0}",
            #"{"link":"navigation:/onboarding","user":""}"#, #"{"link":"navigation:/onboarding"}"# + "\r",
        ]
        let answers = try await exchange(lines.joined(separator: "\n\n\r\n") + "\n")
        #expect(answers.count == lines.count)
        for (index, answer) in answers.enumerated() {
            let isGood = lines[index].hasPrefix(#"{"link":"navigation:/onboarding"}"#)
            #expect(
                answer.hasPrefix(isGood ? #"{"link":"# : #"{"type":"urn:waymark:problem:invalid-request""#),
                "\(index)"
            )
        }
    }

    @Test func `the last line needs no end`() async throws {
        let line = #"{"link":"navigation:/onboarding"}"#
        #expect(try await exchange(line).count == 1)
        #expect(try await exchange(line + "\n").count == 1)
        #expect(try await exchange(line + "\n\n").count == 1)
        #expect(try await exchange("\n").isEmpty)
    }

    @Test func `empty lines are passed over`() async throws {
        #expect(try await exchange(String(repeating: "\n", count: 1_000_000)).isEmpty)
        #expect(try await exchange(String(repeating: "\r\n", count: 100_000) + "{}").count == 1)
    }

    @Test func `a line that is too long is refused, and the next is answered`() async throws {
        let long = #"{"link":""# + String(repeating: "a", count: 1024 * 1024) + #""}"#
        let answers = try await exchange(long + "\n" + #"{"link":"navigation:/onboarding"}"#)
        try #require(answers.count == 2)
        #expect(answers[0].contains("\"status\":413"))
        #expect(answers[1].hasPrefix(#"{"link":"navigation:/onboarding""#))
    }

    // MARK: Lines

    @Test(arguments: [1, 2, 3, 7, 100])
    func `lines are the same however the stream is cut`(_ size: Int) {
        let text =
            "a\nbb\r\n\n" + String(repeating: "x", count: 9) + "\n" + String(repeating: "y", count: 12) + "\nlast"
        var splitter = LineSplitter(maximumByteCount: 10)
        var lines: [LineSplitter.Line] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            splitter.append(bytes[start..<min(start + size, bytes.count)])
            while let line = splitter.next() { lines.append(line) }
        }
        if let line = splitter.last() { lines.append(line) }
        let whole = { (text: String) in LineSplitter.Line.whole(Array(text.utf8)) }
        #expect(splitter.lineNumber == 6)
        #expect(lines == [whole("a"), whole("bb"), whole("xxxxxxxxx"), .tooLong, whole("last")])
    }
}
