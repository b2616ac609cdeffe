import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

@Suite struct LinkSyntaxVectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        struct Expectation: Decodable, Sendable {
            let ok: Parts?
            let reject: String?
        }

        struct Parts: Decodable, Sendable {
            let scheme: String
            let host: String
            let segments: [String]
            let query: [[String?]]?
            let port: Int?
            let fragment: String?
        }

        let id: String
        let input: String
        let expect: Expectation

        var testDescription: String { "\(id) \(input)" }
    }

    private struct File: Decodable {
        let cases: [Vector]
    }

    static let vectors: [Vector] = {
        let bytes = try? Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/link-syntax.json")
        return bytes.flatMap { try? JSONDecoder().decode(File.self, from: Data($0)).cases } ?? []
    }()

    @Test func `the vectors are there`() {
        #expect(Self.vectors.count == 53)
    }

    @Test(arguments: vectors)
    func `a text is parsed or refused as its vector says`(_ vector: Vector) {
        do throws(LinkSyntaxError) {
            let link = try DeepLink(vector.input)
            guard let parts = vector.expect.ok else {
                Issue.record("parsed, but the vector expects \(vector.expect.reject ?? "?")")
                return
            }
            #expect(link.scheme == parts.scheme)
            #expect(Array(link.host.utf8) == Array(parts.host.utf8))
            #expect(link.segments.map { Array($0.utf8) } == parts.segments.map { Array($0.utf8) })
            #expect(link.queryItems.map { [$0.name, $0.value] } == parts.query ?? [])
            #expect(link.port == parts.port)
            #expect(link.fragment == parts.fragment)
        } catch {
            #expect(error.reason.rawValue == vector.expect.reject)
            #expect((0...vector.input.utf8.count).contains(error.offset))
        }
    }
}
