import DeepLinkHTTP
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@Suite struct HostileRequestTests {
    private static let count = Effort.part(of: 100_000)

    private static let stack =
        "[{\"route\":\"tabBar\",\"presentation\":\"root\"},{\"route\":\"characters\",\"presentation\":\"tab\"},"
        + "{\"route\":\"character\",\"presentation\":\"push\",\"parameters\":{\"id\":1}}]"

    /// Percent-encodes all bytes but those that `kept` names.
    private func form(_ bytes: [UInt8], keeping kept: UInt8? = nil) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count * 3)
        for byte in bytes {
            if byte == kept {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Checks an answer to a hostile request: a known status, and a JSON document.
    private func check(_ response: TestResponse, _ what: @autoclosure () -> String, _ counts: inout [Int: Int]) {
        counts[response.status.code, default: 0] += 1
        #expect([200, 201, 400, 403, 404, 413, 414, 415, 422].contains(response.status.code), "\(what())")
        let first = response.body.getInteger(at: response.body.readerIndex, as: UInt8.self)
        #expect(first == UInt8(ascii: "{"), "\(what())")
    }

    @Test func `mutated links and bodies get an answer each`() async throws {
        try await TestServer.application()
            .test(.router) { client in
                var links = LinkMutator(seed: 11)
                var generator = SeededGenerator(seed: 12)
                var counts: [Int: Int] = [:]
                for index in 0..<Self.count {
                    // The servers of other tests share these threads.
                    if index.isMultiple(of: 8) { await Task.yield() }
                    let link = links.next()
                    switch index % 4 {
                    case 0:
                        let options = generator.pick([
                            "", "&mode=append", "&mode=append&from=navigation:/characters/character/1", "&partial=true",
                            "&explain=true", "&explain=true&partial=1&mode=append&from=navigation:/settings",
                            "&from=\(form(link))&mode=append",
                        ])
                        let uri = "/v1/resolve?link=\(form(link))&user=u\(index % 7)\(options)"
                        check(try await client.execute(uri: uri, method: .get), uri, &counts)
                    case 1:
                        // The raw bytes as a query, as far as a request line can hold them.
                        let raw = String(decoding: link.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
                        check(try await client.execute(uri: "/v1/resolve?link=" + raw, method: .get), raw, &counts)
                    case 2:
                        let body = mutatedBody(link, &generator)
                        let uri = generator.pick(["/v1/resolve", "/v1/users/u\(index % 7)", "/v1/links"])
                        let response = try await client.execute(
                            uri: uri,
                            method: .post,
                            headers: [.contentType: "application/json"],
                            body: ByteBuffer(bytes: body)
                        )
                        check(response, String(decoding: body, as: UTF8.self), &counts)
                    default:
                        let path = "/" + form(Array(link.prefix(2_000)), keeping: UInt8(ascii: "/"))
                        check(try await client.execute(uri: path, method: .get, headers: [:]), path, &counts)
                    }
                }
                // Links that the mutations left whole, and writes, must be among them.
                for status in [200, 201, 400, 403, 404, 422] {
                    #expect(counts[status, default: 0] > 0, "\(counts)")
                }
            }
    }

    @Test func `a body full of numbers is read in one pass`() async throws {
        try await TestServer.application()
            .test(.router) { client in
                let body = "[" + String(repeating: "1,", count: 500_000) + "1]"
                let response = try await client.execute(
                    uri: "/v1/resolve",
                    method: .post,
                    headers: [.contentType: "application/json"],
                    body: ByteBuffer(string: body)
                )
                #expect(response.status == .badRequest)
            }
    }

    private func mutatedBody(_ link: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        let text = String(decoding: link.filter { $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        var body = Array(
            generator.pick([
                "{\"link\":\"\(text)\"}", "{\"link\":\"\(text)\",\"user\":\"u1\"}",
                "{\"authorizationLevel\":\"premiumUser\",\"validUntil\":\"2030-01-01T00:00:00Z\"}",
                "{\"authorizationLevel\":\"signedInUser\",\"levelAfter\":\"none\"}", "[[[[[[[[]]]]]]]]", "{}", "null",
                "{\"link\":{\"link\":[1e999]}}",
                "{\"link\":\"\(text)\",\"mode\":\"append\",\"partial\":true,\"explain\":true,\"from\":\(Self.stack)}",
                "{\"stack\":\(Self.stack)}", "{\"stack\":\(Self.stack),\"scheme\":\"https\"}",
                String(repeating: "[", count: 600), "\u{0}", "\"\\ud800\"",
            ])
            .utf8
        )
        for _ in 0..<Int.random(in: 0...2, using: &generator) where !body.isEmpty {
            let position = Int.random(in: 0..<body.count, using: &generator)
            if generator.oneIn(2) {
                body[position] = UInt8.random(in: 0...255, using: &generator)
            } else {
                body.remove(at: position)
            }
        }
        return body
    }

    @Test func `bytes that are no request are answered after the requests before them`() async throws {
        try await TestServer.application()
            .whileServing { port in
                let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                for _ in 0..<20 {
                    let connection = try RawConnection(port: port)
                    let answers = try await connection.exchangeUntilClose(Array((get + get + get + "\0").utf8))
                    #expect(answers.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
                    #expect(answers.components(separatedBy: "HTTP/1.1 400 Bad Request").count == 2)
                    #expect(answers.contains("\"reason\":\"malformed\""))
                }
            }
    }

    @Test func `a link with hundreds of misspelt segments is refused at once`() async throws {
        // Suggesting for suggestions would take longer than the age of the universe here.
        try await TestServer.application()
            .test(.router) { client in
                let path = "/onboarding" + String(repeating: "/stepX", count: 250)
                let response = try await client.execute(uri: path, method: .get)
                #expect(response.status == .notFound)
            }
    }
}
