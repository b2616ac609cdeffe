import DeepLinkFormats
import Testing

/// Checks how a stream of bytes is cut into lines.
@Suite struct LineSplitterTests {
    /// The lines of a stream that comes in parts; `…` stands for one that is too long.
    private static func lines(_ parts: [[UInt8]], maximumByteCount: Int) -> [String] {
        var splitter = LineSplitter(maximumByteCount: maximumByteCount)
        var lines: [LineSplitter.Line] = []
        for part in parts {
            splitter.append(part)
            while let line = splitter.next() { lines.append(line) }
            // No more is kept than a line may have, with its carriage return.
            #expect(splitter.pendingByteCount <= maximumByteCount + 1)
        }
        if let line = splitter.last() { lines.append(line) }
        return lines.map { line in
            switch line {
            case .whole(let bytes): String(decoding: bytes, as: UTF8.self)
            case .tooLong: "…"
            }
        }
    }

    @Test(arguments: [
        ("", []), ("\n", []), ("\r\n\r\n", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n", ["a"]), ("a\nb", ["a", "b"]),
        ("\n\na\n\r\n b \n", ["a", " b "]), ("a\rb\r\r\n", ["a\rb\r"]), ("a\r", ["a"]), ("\n\r", []),
        ("abcd\nabcde\nab", ["abcd", "…", "ab"]), ("abcd\r\nabcd", ["abcd", "abcd"]), ("abcde", ["…"]),
        ("abcdefghijkl", ["…"]), ("abcdefghijkl\n\na", ["…", "a"]),
    ])
    func `a stream has the same lines, however it comes`(_ text: String, _ lines: [String]) {
        let bytes = Array(text.utf8)
        #expect(Self.lines([bytes], maximumByteCount: 4) == lines)
        #expect(Self.lines(bytes.map { [$0] }, maximumByteCount: 4) == lines, "byte by byte")
        for cut in bytes.indices {
            let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(Self.lines(parts, maximumByteCount: 4) == lines, "\(parts)")
        }
    }

    @Test(arguments: [
        ("\u{FEFF}a\nb", ["a", "b"]), ("\u{FEFF}\nabcd", ["abcd"]), ("\u{FEFF}abcd\n", ["abcd"]),
        ("\u{FEFF}abcde\n", ["…"]), ("a\n\u{FEFF}", ["a", "\u{FEFF}"]), ("\u{FEFF}\u{FEFF}\n", ["\u{FEFF}"]),
        ("\u{FEFF}", []), ("ab", ["ab"]),
    ])
    func `a byte order mark at the beginning is no part of a line`(_ text: String, _ lines: [String]) {
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var splitter = LineSplitter(maximumByteCount: 4)
            var found: [LineSplitter.Line] = []
            for part in [bytes[..<cut], bytes[cut...]] {
                splitter.append(part)
                while let line = splitter.next() { found.append(line) }
            }
            if let line = splitter.last() { found.append(line) }
            #expect(found == lines.map { $0 == "…" ? .tooLong : .whole(Array($0.utf8)) }, "\(text), cut at \(cut)")
        }
    }

    @Test func `empty lines have a number too`() {
        var splitter = LineSplitter(maximumByteCount: 10)
        #expect(splitter.lineNumber == 0)
        splitter.append("\n\na\nb\r\n\r\nc".utf8)
        var numbers: [Int] = []
        while splitter.next() != nil { numbers.append(splitter.lineNumber) }
        #expect(splitter.last() == .whole(Array("c".utf8)))
        #expect(numbers + [splitter.lineNumber] == [3, 4, 6])
    }

    @Test func `a line that is too long is one line, and is not kept`() {
        var splitter = LineSplitter(maximumByteCount: 10)
        for _ in 0..<1_000 {
            splitter.append(Array(repeating: UInt8(ascii: "a"), count: 1_000))
            #expect(splitter.next() == nil)
            #expect(splitter.pendingByteCount == 0)
        }
        splitter.append("a\nb\n".utf8)
        #expect(splitter.next() == .tooLong)
        #expect(splitter.next() == .whole(Array("b".utf8)))
        #expect(splitter.lineNumber == 2)
    }
}
