import DeepLinkFormats
import Testing
import WaymarkTestSupport

/// Checks how comma-separated values are cut into rows.
@Suite struct CSVSplitterTests {
    /// The rows of a stream that comes in parts: fields between bars, faults by their rule and place.
    private static func rows(_ parts: [[UInt8]], maximumByteCount: Int = 20, maximumFieldCount: Int = 4) -> [String] {
        var splitter = CSVSplitter(maximumByteCount: maximumByteCount, maximumFieldCount: maximumFieldCount)
        var rows: [String] = []
        func note(_ row: CSVSplitter.Row) {
            switch row {
            case .whole(let row): rows.append("\(row.line)|\(row.texts.joined(separator: "|"))")
            case .malformed(let fault): rows.append("\(fault.line):\(fault.field) \(fault.rule)")
            }
        }
        for part in parts {
            splitter.append(part)
            while let row = splitter.next() { note(row) }
            // No more is kept than a row may have, with its carriage return, and the beginning of a byte order mark.
            #expect(splitter.pendingByteCount <= max(maximumByteCount + 1, 2))
        }
        if let row = splitter.last() { note(row) }
        #expect(splitter.last() == nil)
        return rows
    }

    @Test(arguments: [
        ("", []), ("\n\r\n", []), ("a", ["1|a"]), ("a,b\n", ["1|a|b"]), ("a,b\r\n1,\r\n", ["1|a|b", "2|1|"]),
        ("\u{FEFF}a,b", ["1|a|b"]), ("a\n\u{FEFF}b", ["1|a", "2|\u{FEFF}b"]), ("\u{FEFF}", []),
        ("a;b\n1,5;2", ["1|a|b", "2|1,5|2"]), ("a\tb;c\n", ["1|a|b;c"]), ("\"a;b\",c\n1;2,3", ["1|a;b|c", "2|1;2|3"]),
        ("a\n1,2", ["1|a", "2|1|2"]), ("\"\"\n", ["1|"]), ("\"a\"\"b\",\"c\nd\"\ne", ["1|a\"b|c\nd", "3|e"]),
        ("\"a\"\r\n\"b\"", ["1|a", "2|b"]), ("a\rb,c\r\n", ["1|a\rb|c"]), (",\n", ["1||"]),
        ("a,b\n\n\nc,d", ["1|a|b", "4|c|d"]),
        ("\r", ["1|"]),
        // Faults: reading goes on at the next line.
        ("a\"b,c\nd", ["1:1 quoteInside", "2|d"]), ("a,\"b\"c\nd", ["1:2 textAfterQuote", "2|d"]),
        ("\"a\"\rb\nc", ["1:1 textAfterQuote", "2|c"]), ("a\n\"b\nc", ["1|a", "2:1 unclosedQuote"]),
        ("a\nb,\"", ["1|a", "2:2 unclosedQuote"]),
        ("a,b,c,d\na,b,c,d,e\nf", ["1|a|b|c|d", "2:5 tooManyFields(limit: 4)", "3|f"]),
        (
            "aaaaaaaaaa,bbbbbbbbbb\naaaaaaaaaa,bbbbbbbbbbb\r\nc",
            ["1|aaaaaaaaaa|bbbbbbbbbb", "2:2 tooLong(limit: 20)", "3|c"]
        ),
        ("a\n\"aaaaaaaaaaaaaaaaaaaaaaaaa\nb\n", ["1|a", "2:1 tooLong(limit: 20)", "3|b"]),
    ])
    func `a stream has the same rows, however it comes`(_ text: String, _ rows: [String]) {
        let bytes = Array(text.utf8)
        #expect(Self.rows([bytes]) == rows)
        #expect(Self.rows(bytes.map { [$0] }) == rows, "byte by byte")
        for cut in bytes.indices { #expect(Self.rows([Array(bytes[..<cut]), Array(bytes[cut...])]) == rows, "\(cut)") }
    }

    @Test func `a field that isn't UTF-8 is named`() {
        let rows = Self.rows([Array("a,b\nc,".utf8) + [0xE9] + Array("\nd,é".utf8)])
        #expect(rows == ["1|a|b", "2:2 invalidUTF8", "3|d|é"])
    }

    @Test func `what is written is read`() {
        var generator = SeededGenerator(seed: 23)
        let alphabet = ["a", "é", "\"", ",", ";", "\n", "\r\n", "\t", " "]
        for _ in 0..<300 {
            let rows = (0..<Int.random(in: 1...5, using: &generator))
                .map { _ in
                    ["x"]
                        + (0..<2)
                        .map { _ in
                            (0..<Int.random(in: 0...4, using: &generator))
                                .map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
                        }
                }
            let text =
                rows.map { row in
                    row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
                }
                .joined(separator: "\r\n")
            var splitter = CSVSplitter()
            splitter.append(text.utf8)
            var read: [[String]] = []
            while let row = splitter.next() ?? splitter.last() {
                guard case .whole(let row) = row else { break }
                read.append(row.texts)
            }
            #expect(read == rows, "\(text)")
        }
    }

    @Test func `a row that never ends is not kept`() {
        var splitter = CSVSplitter(maximumByteCount: 10)
        splitter.append("a\n\"".utf8)
        #expect(splitter.next() != nil)
        for _ in 0..<1_000 {
            splitter.append(Array(repeating: UInt8(ascii: ","), count: 1_000))
            #expect(splitter.next() == nil)
            #expect(splitter.pendingByteCount <= 11)
        }
        splitter.append("\nb".utf8)
        #expect(splitter.next() == .malformed(CSVFault(.tooLong(limit: 10), line: 2, field: 1)))
    }

    @Test func `columns are found by letters and digits alone`() throws {
        var splitter = CSVSplitter()
        splitter.append("Short link,Deep link (link),utm_source\n".utf8)
        guard case .whole(let row)? = splitter.next() else { return #expect(Bool(false)) }
        let header = CSVHeader(row)
        #expect(header.column(named: "short_link") == 0)
        #expect(header.column(named: "link", "deeplinklink") == 1)
        #expect(header.column(named: "link") == nil)
        #expect(header.names == ["Short link", "Deep link (link)", "utm_source"])
    }
}
