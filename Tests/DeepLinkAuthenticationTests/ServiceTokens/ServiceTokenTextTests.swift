import Crypto
import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

@Suite struct ServiceTokenTextTests {
    @Test func `a token reads back, and no two are alike`() throws {
        var texts: Set<String> = []
        for _ in 0..<1_000 {
            let token = ServiceTokenText()
            let read = try #require(ServiceTokenText(token.text))
            #expect(read.id == token.id)
            #expect(read.digest == token.digest)
            #expect(token.text.wholeMatch(of: /wm_[0-9a-z]{12}_[0-9A-Za-z]{49}/) != nil)
            texts.insert(token.text)
        }
        #expect(texts.count == 1_000)
    }

    @Test func `any single changed character is noticed`() {
        let bytes = Array(ServiceTokenText().text.utf8)
        for index in bytes.indices {
            for byte in Array("0aZ_é".utf8) where byte != bytes[index] {
                var changed = bytes
                changed[index] = byte
                #expect(ServiceTokenText(String(decoding: changed, as: UTF8.self)) == nil)
            }
        }
    }

    @Test(arguments: ["", "wm_", "wm__", "wm_abc_def", "wm_000000000000_", "Bearer wm_"])
    func `other texts are no tokens`(_ text: String) {
        #expect(ServiceTokenText(text) == nil)
    }

    @Test func `the checksum is the CRC-32 that others compute`() {
        // zlib's crc32 of the part before the last six characters, in base 62.
        let text = "wm_2157k31dz93f_h3rQegsF3A9I9sFylCgWSIs1PRvghDkC9CLcBX4Ra9m15aftH"
        #expect(ServiceTokenText(text)?.id.text == "2157k31dz93f")
    }

    @Test func `a right digest alone opens nothing for another id, and a wrong secret nothing at all`() async throws {
        let (text, other) = (ServiceTokenText(), ServiceTokenText())
        let time = Timestamp(millisecondsSinceEpoch: 5)
        let stored = ServiceToken(id: text.id, digest: Array(text.digest), role: .admin, created: time)
        let stolen = ServiceToken(id: other.id, digest: Array(text.digest), role: .admin, created: time)
        let tokens = try await ServiceTokens(InMemoryServiceTokenStore([stored, stolen]))
        #expect(tokens.token(text, at: time)?.id == text.id)
        #expect(tokens.token(other, at: time) == nil)
        #expect(tokens.token(ServiceTokenText(), at: time) == nil)
    }

    @Test func `tokens follow the store, and a server that had one never opens again`() async throws {
        let text = ServiceTokenText()
        let time = Timestamp(millisecondsSinceEpoch: 5)
        let store = InMemoryServiceTokenStore()
        let tokens = try await ServiceTokens(store)
        #expect(!tokens.areConfigured)
        try await store.add(ServiceToken(id: text.id, digest: Array(text.digest), role: .resolver, created: time))
        #expect(tokens.token(text, at: time) == nil)
        try await tokens.refresh()
        #expect(tokens.token(text, at: time)?.role == .resolver)
        _ = try await store.revoke(text.id, at: time)
        try await tokens.refresh()
        #expect(tokens.token(text, at: time) == nil)
        #expect(tokens.areConfigured)
    }
}
