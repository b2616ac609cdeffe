import DeepLinkCore
import DeepLinkFormats
import Testing

/// Tests of what is shown on a terminal of texts that strangers have written.
@Suite struct TerminalTextTests {
    /// Every control character: of C0 and C1, DEL, and those that turn the writing.
    private static let controls: [UInt32] =
        Array(0..<0x20) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E)
        + Array(0x2066...0x2069)

    @Test(arguments: controls) func `a control character is escaped`(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        for text in ["\(scalar)", "a\(scalar)b", "é\(scalar)\(scalar)"] {
            let line = TerminalText.line(text)
            #expect(line.unicodeScalars.allSatisfy { !TerminalText.isControl($0) })
            #expect(line.utf8.count > text.utf8.count || value >= 0x80)
            let kept = TerminalText.document(text).unicodeScalars.filter(TerminalText.isControl)
            #expect(kept.allSatisfy { $0 == "\n" })
        }
    }

    @Test func `all other characters stay as they are`() {
        for value in UInt32(0x20)...0x2FFF where !Self.controls.contains(value) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(TerminalText.line("x\(scalar)") == "x\(scalar)")
        }
        #expect(TerminalText.line("e\u{301} \u{1F600} 日本") == "e\u{301} \u{1F600} 日本")
    }

    @Test func `escapes are those of Swift`() {
        #expect(TerminalText.line("x\u{1B}[31m\ny\u{202E}") == #"x\u{1B}[31m\ny\u{202E}"#)
        #expect(TerminalText.document("x\u{1B}\ny\r\n") == "x\\u{1B}\ny\\r\n")
    }

    @Test func `JSON stays JSON, and means the same`() throws {
        let texts = Self.controls.compactMap(Unicode.Scalar.init).map { "a\($0)b" } + ["日本"]
        let json = String(decoding: texts.json, as: UTF8.self)
        let shown = TerminalText.json(json)
        #expect(shown.unicodeScalars.allSatisfy { !TerminalText.isControl($0) })
        #expect(try JSONParser.parse(Array(shown.utf8)) == JSONParser.parse(Array(json.utf8)))
    }
}

extension [String] {
    /// The texts as a JSON array.
    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        writer.array(self) { writer, text in writer.string(text) }
        return writer.bytes
    }
}
