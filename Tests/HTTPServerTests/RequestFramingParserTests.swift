import Testing
import WaymarkTestSupport

@testable import HTTPServer

@Suite struct RequestFramingParserTests {
    /// Cuts bytes into heads and the rest of each request, feeding so many bytes at a time.
    private func requests(_ text: String, _ bodies: [RequestBodyLength], size: Int) throws -> [String] {
        var framing = RequestFramingParser()
        var (found, current) = ([String](), "")
        var bodies = bodies[...]
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            var rest = bytes[start..<min(start + size, bytes.count)]
            while !rest.isEmpty {
                let count = try framing.advance(rest)
                #expect(count > 0)
                current += String(decoding: rest.prefix(count), as: UTF8.self)
                rest = rest.dropFirst(count)
                if framing.isAtHeadEnd { framing.begin(bodies.popFirst()) }
                if framing.isBetweenRequests {
                    found.append(current)
                    current = ""
                }
            }
        }
        #expect(current.isEmpty)
        return found
    }

    @Test(arguments: [1, 2, 3, 5, 1000])
    func `requests end where they end, however the bytes arrive`(_ size: Int) throws {
        let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let post = "POST / HTTP/1.1\r\n\r\n"
        let chunks = "5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n"
        let trailers = "1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n"
        let expected = [get, post + "\r\n\r\nx", get, post + chunks, post + trailers, post]
        let bodies: [RequestBodyLength] = [.none, .bytes(5), .none, .chunked, .chunked, .bytes(0)]
        #expect(try requests(expected.joined(), bodies, size: size) == expected)
    }

    @Test(arguments: [
        ("5;a=b\r\nhello\r\n", RequestFramingParser.FramingError.chunkLength), ("5 \r\nhello\r\n", .chunkLength),
        ("\r\nhello\r\n", .chunkLength), ("0x5\r\nhello\r\n", .chunkLength), ("-5\r\nhello\r\n", .chunkLength),
        ("5\nhello\n", .chunkLength), ("5\r\rhello", .chunkLength), ("000000005\r\nhello", .chunkLength),
        ("FFFFFFFFF\r\n", .chunkLength), ("5\r\nhelloo\r\n", .chunkEnd), ("5\r\nhello\n", .chunkEnd),
        ("0\r\n" + String(repeating: "A: b\r\n", count: 20_000), .trailersTooLong),
    ])
    func `chunks that could be read in two ways are refused`(_ body: String, _ fault: RequestFramingParser.FramingError)
    {
        let text = "POST / HTTP/1.1\r\n\r\n" + body
        #expect(throws: fault) { try requests(text, [.chunked], size: 7) }
        #expect(throws: fault) { try requests(text, [.chunked], size: 1_000_000) }
    }

    @Test(arguments: [1, 1_000_000])
    func `a head that is too long tells whether its first line is`(_ size: Int) {
        let long = String(repeating: "a", count: 70_000)
        #expect(throws: RequestFramingParser.FramingError.lineTooLong) { try requests("GET /" + long, [], size: size) }
        #expect(throws: RequestFramingParser.FramingError.lineTooLong) {
            try requests("GET /" + long + " HTTP/1.1\r\n\r\n", [], size: size)
        }
        #expect(throws: RequestFramingParser.FramingError.headTooLong) {
            try requests("GET / HTTP/1.1\r\nX: " + long + "\r\n\r\n", [], size: size)
        }
    }
}
