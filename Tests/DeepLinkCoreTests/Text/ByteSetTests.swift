import Testing

@testable import DeepLinkCore

@Suite struct ByteSetTests {
    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\\")
    }

    private static func isOne(_ byte: UInt8, of text: String) -> Bool { text.utf8.contains(byte) }

    @Test func `each set holds the bytes of its rule`() {
        for byte in UInt8.min...UInt8.max {
            let isLetterOrDigit = ASCII.isLetter(byte) || ASCII.isDigit(byte)
            #expect(ByteSet.scheme.contains(byte) == (isLetterOrDigit || Self.isOne(byte, of: "+-.")), "\(byte)")
            let isHost = ASCII.isUnreserved(byte) || ASCII.isSubDelimiter(byte)
            #expect(ByteSet.hostLabel.contains(byte) == (isHost && byte != UInt8(ascii: ".")), "\(byte)")
            #expect(ByteSet.segment.contains(byte) == (Self.isText(byte) && !Self.isOne(byte, of: "/?#")), "\(byte)")
            #expect(ByteSet.name.contains(byte) == (Self.isText(byte) && !Self.isOne(byte, of: "&#=")), "\(byte)")
            #expect(ByteSet.value.contains(byte) == (Self.isText(byte) && !Self.isOne(byte, of: "&#")), "\(byte)")
            #expect(ByteSet.fragment.contains(byte) == Self.isText(byte), "\(byte)")
            let isKept = ASCII.isUnreserved(byte) || Self.isOne(byte, of: "!$'()*,;:@")
            #expect(ByteSet.kept.contains(byte) == isKept, "\(byte)")
            let isLiteral = isHost || Self.isOne(byte, of: ":@")
            #expect(ByteSet.literal.contains(byte) == isLiteral, "\(byte)")
        }
    }
}
