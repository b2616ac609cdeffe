import DeepLinkAuthentication
import Testing

/// Checks codes against those of RFC 4231, whose keys are long enough for us.
@Suite struct HMACKeyTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.utf8.count, by: 2)
            .compactMap { UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16) }
    }

    @Test func `a code is that of the RFC, at every call`() throws {
        let key = try #require(HMACKey([UInt8](repeating: 0xAA, count: 131)))
        let content = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        let code = Self.bytes("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        for _ in 0..<3 {
            #expect(key.code(of: content) == code)
            #expect(key.verifies(code, of: content))
        }
    }

    @Test func `no other code, content or secret fits`() throws {
        let key = try #require(HMACKey([UInt8](repeating: 1, count: 32)))
        let code = key.code(of: [1, 2, 3])
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(!key.verifies(other, of: [1, 2, 3]))
        }
        #expect(!key.verifies(Array(code.dropLast()), of: [1, 2, 3]))
        #expect(!key.verifies([], of: [1, 2, 3]))
        #expect(!key.verifies(code, of: [1, 2]))
        let another = try #require(HMACKey([UInt8](repeating: 2, count: 32)))
        #expect(!another.verifies(code, of: [1, 2, 3]))
    }

    @Test func `a short secret makes no key`() {
        #expect(HMACKey([UInt8](repeating: 1, count: 31)) == nil)
    }
}
