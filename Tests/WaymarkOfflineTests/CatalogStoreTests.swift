import DeepLinkCatalog
import DeepLinkCore
import Foundation
import Synchronization
import Testing
import WaymarkOffline
import WaymarkTestSupport

/// The catalog in force, whatever the disk and the server say.
@Suite struct CatalogStoreTests {
    /// A server that answers what it is told to, and notes what it was asked.
    private final class Server: BundleTransport {
        let response: Mutex<BundleResponse?>
        let tags = Mutex<[String?]>([])

        init(_ response: BundleResponse?) { self.response = Mutex(response) }

        struct LostError: Error {}

        func bundle(unless tag: String?) async throws -> BundleResponse {
            tags.withLock { $0.append(tag) }
            guard let response = response.withLock({ $0 }) else { throw LostError() }
            return response
        }
    }

    private let key: BundleSigningKey
    private let catalog: RouteCatalog

    init() throws {
        key = try #require(BundleSigningKey(rawRepresentation: Array(repeating: 9, count: 32)))
        catalog = try SampleApp.catalog()
    }

    private func bundle(_ sequence: Int) throws -> (bytes: [UInt8], signature: [UInt8]) {
        let bytes = CatalogBundle.bytes(
            of: catalog,
            sequence: sequence,
            issuedAt: Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)
        )
        return (bytes, try key.signature(of: bytes).json)
    }

    private func response(_ sequence: Int, tag: String) throws -> BundleResponse {
        let bundle = try bundle(sequence)
        return BundleResponse(
            status: 200,
            body: bundle.bytes,
            signature: String(decoding: bundle.signature, as: UTF8.self),
            tag: tag
        )
    }

    private func store(_ folder: String, seed: Int, _ server: Server) throws -> CatalogStore {
        try CatalogStore(
            seed: try bundle(seed),
            directory: URL(fileURLWithPath: folder + "/store"),
            keys: [key.publicKey],
            transport: server
        )
    }

    @Test func `a newer bundle is in force, also after a restart and without a server`() async throws {
        try await TemporaryFolder.with { folder in
            let server = Server(try response(2, tag: "\"b\""))
            let store = try store(folder, seed: 1, server)
            #expect(store.sequence == 1 && store.age() == nil)
            #expect(try await store.refresh())
            #expect(store.sequence == 2 && store.refused == nil)
            server.response.withLock { $0 = BundleResponse(status: 304) }
            #expect(try await !store.refresh())
            #expect(store.age() != nil)

            server.response.withLock { $0 = nil }
            let restarted = try self.store(folder, seed: 1, server)
            #expect(restarted.sequence == 2)
            #expect(restarted.catalog.version == catalog.version)
            await #expect(throws: Server.LostError.self) { try await restarted.refresh() }
            #expect(restarted.sequence == 2)
            #expect(server.tags.withLock { $0 } == [nil, "\"b\"", "\"b\""])
            // An app that ships a newer seed takes that.
            #expect(try self.store(folder, seed: 3, server).sequence == 3)
        }
    }

    @Test func `what is not right is refused, and the one in force stays`() async throws {
        try await TemporaryFolder.with { folder in
            let good = try response(5, tag: "x")
            var changed = good.body
            changed[20] ^= 1
            let stranger = try #require(BundleSigningKey(rawRepresentation: Array(repeating: 8, count: 32)))
            let strange = String(decoding: try stranger.signature(of: good.body).json, as: UTF8.self)
            let nonsense = Array("{\"sequence\":9}".utf8)
            let signed = String(decoding: try key.signature(of: nonsense).json, as: UTF8.self)
            let server = Server(nil)
            let store = try store(folder, seed: 5, server)
            for (response, check) in [
                (BundleResponse(status: 200, body: changed, signature: good.signature), "invalidSignature"),
                (BundleResponse(status: 200, body: good.body, signature: nil), "invalidSignature"),
                (BundleResponse(status: 200, body: good.body, signature: "{}"), "invalidSignature"),
                (BundleResponse(status: 200, body: good.body, signature: strange), "unknownKey"),
                (BundleResponse(status: 200, body: nonsense, signature: signed), "malformed"),
                (try self.response(4, tag: "y"), "rolledBack"),
                (BundleResponse(status: 404), "unavailable"),
            ] {
                server.response.withLock { $0 = response }
                #expect(try await !store.refresh())
                #expect(store.refused.map { "\($0)".hasPrefix(check) } == true, "\(check)")
                #expect(store.sequence == 5)
            }
            server.response.withLock { $0 = good }
            #expect(try await !store.refresh())
            #expect(store.refused == nil)
        }
    }

    @Test func `a file that was damaged is as good as none`() async throws {
        try await TemporaryFolder.with { folder in
            let server = Server(try response(2, tag: "b"))
            #expect(try await store(folder, seed: 1, server).refresh())
            let path = folder + "/store/waymark-catalog.bundle"
            var bytes = Array(try #require(FileManager.default.contents(atPath: path)))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let restarted = try store(folder, seed: 1, server)
            #expect(restarted.sequence == 1 && restarted.refused != nil)
            #expect(try await restarted.refresh())
            #expect(restarted.sequence == 2)
        }
    }

    @Test func `keys are read as OpenSSL writes them`() throws {
        // RFC 8410 §10.3.
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
            -----END PRIVATE KEY-----

            """
        let key = try #require(BundleSigningKey(pem: Array(pem.utf8)))
        #expect(key.publicKey.text == "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE")
        #expect(BundleKey(key.publicKey.text)?.id == key.publicKey.id)
        #expect(BundleSigningKey(pem: Array("x\ny\nz".utf8)) == nil)
    }
}
