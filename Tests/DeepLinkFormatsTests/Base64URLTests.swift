import DeepLinkFormats
import Testing

/// Checks Base64url without padding (RFC 4648 §5, §10): each sequence of bytes has one spelling.
@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `bytes are written and read as the RFC says`(_ bytes: String, _ text: String) {
        #expect(Base64URL.encode(Array(bytes.utf8)) == text)
        #expect(Base64URL.decode(text.utf8) == Array(bytes.utf8))
    }

    @Test func `the last two characters are those of URLs`() {
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64URL.decode("--__".utf8) == [0xFB, 0xEF, 0xFF])
    }

    @Test(arguments: [
        "Zg==", "Zm8=", "Zg=", "=", "Z", "Zm9vZ", "++//", "+-__", "Zm9v\n", " Zg", "Zm 9v", "Zm9v\0", "Zm9v\u{E9}",
        "Zg.", "%5A",
    ])
    func `padding, white space and other characters are refused`(_ text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func `spare bits of the last character are zero`() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for (index, last) in alphabet.enumerated() {
            // Of two characters the last has four spare bits, of three it has two.
            #expect((Base64URL.decode([alphabet[1], last]) != nil) == (index % 16 == 0))
            #expect((Base64URL.decode([alphabet[1], alphabet[2], last]) != nil) == (index % 4 == 0))
            #expect(Base64URL.decode([alphabet[1], alphabet[2], alphabet[3], last])?.count == 3)
        }
    }

    @Test func `every byte comes back, at every length`() {
        let bytes = (0...255).map { UInt8($0) }
        for count in 0...bytes.count {
            let text = Base64URL.encode(bytes.suffix(count))
            #expect(Base64URL.decode(text.utf8) == bytes.suffix(count))
            #expect(text.utf8.count == (count * 4 + 2) / 3)
        }
    }
}
