import DeepLinkCore
import Testing

@testable import DeepLinkFormats

/// Tests of the parser of JSON: which texts it reads, and for all others the first fault with its byte.
@Suite struct JSONParserTests {
    private static func fault(_ bytes: [UInt8], maximumValueCount: Int = .max) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONParser.parse(bytes, maximumValueCount: maximumValueCount)
            return nil
        } catch {
            return error
        }
    }

    // MARK: What is read

    @Test(
        arguments: [
            ("null", .null), (" \t\r\n true\n", .bool(true)), ("false", .bool(false)), ("[]", .array([])),
            ("{}", .object([:])),
            ("[ 1 , [ ] ]", .array([.integer(1), .array([])])),
            (#"{ "a" : { "b" : null } }"#, .object(["a": .object(["b": .null])])),
            (#""""#, .string("")), (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u0041\u00e9\u00E9\u0000""#, .string("A\u{E9}\u{E9}\0")), (#""\ud83d\ude00""#, .string("\u{1F600}")),
            (#""\uD83D\uDE00\\""#, .string("\u{1F600}\\")),
            ("\"\u{1F600}\u{7F}\u{2028}\"", .string("\u{1F600}\u{7F}\u{2028}")),
        ] as [(String, JSONValue)]
    )
    func `a text is read as its value`(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("-1", .integer(-1)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("-0", .number(0)), ("1.0", .number(1)), ("1.50", .number(1.5)), ("1e2", .number(100)),
            ("1E+2", .number(100)),
            ("25e-1", .number(2.5)), ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
        ] as [(String, JSONValue)]
    )
    func `a number keeps its digits, or is the nearest double`(_ text: String, _ value: JSONValue) throws {
        let parsed = try JSONParser.parse(Array(text.utf8))
        #expect(parsed == value)
        // Equality takes 1 for 1.0: the case counts too.
        switch (parsed, value) {
        case (.integer, .integer), (.number, .number): break
        default: Issue.record("\(text) is \(parsed)")
        }
    }

    @Test func `names are told apart by their bytes`() throws {
        let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        #expect(try JSONParser.parse(Array(text.utf8)) == .object(["\u{E9}": .integer(1), "e\u{301}": .integer(2)]))
    }

    // MARK: What is refused

    @Test(arguments: [
        ("", 0, "a value is expected here"), ("  ", 2, "a value is expected here"),
        ("nul", 0, "a value is expected here"),
        ("True", 0, "a value is expected here"), ("'a'", 0, "a value is expected here"),
        ("// 1", 0, "a value is expected here"),
        ("\u{FEFF}1", 0, "a value is expected here"), ("[1,]", 3, "a value is expected here"),
        (#"{"a":}"#, 5, "a value is expected here"), ("[", 1, "a value is expected here"),
        ("[1 2]", 3, "a comma or a closing bracket is expected here"),
        ("[1", 2, "a comma or a closing bracket is expected here"), ("{", 1, "a key is expected here"),
        ("{a:1}", 1, "a key is expected here"), (#"{"a":1,}"#, 7, "a key is expected here"),
        (#"{"a" 1}"#, 5, "a colon is expected here"),
        (#"{"a":1 "b":2}"#, 7, "a comma or a closing brace is expected here"),
        ("1 2", 2, "something follows the value"), ("truex", 4, "something follows the value"),
        ("{}}", 2, "something follows the value"), ("1\0", 1, "something follows the value"),
    ])
    func `a fault of structure is named with its byte`(_ text: String, _ offset: Int, _ message: String) {
        #expect(Self.fault(Array(text.utf8)) == JSONSyntaxError(message: message, offset: offset))
    }

    @Test(arguments: [
        "01", "-01", "+1", "-", "--1", ".5", "1.", "1.e2", "1e", "1e+", "1.5.5", "1e999", "-1e999", "NaN", "Infinity",
    ])
    func `a number that RFC 8259 does not have is refused where it begins`(_ text: String) {
        #expect(Self.fault(Array(text.utf8)) == JSONSyntaxError(message: "a value is expected here", offset: 0))
        #expect(Self.fault(Array("[\(text)]".utf8))?.offset == 1)
    }

    @Test(arguments: [
        (#""abc"#, 4, "a string is not closed"), (#""abc\"#, 5, "a string is not closed"),
        ("\"a\u{1}\"", 2, "a control character stands in a string"),
        ("\"a\n\"", 2, "a control character stands in a string"),
        (#""\x""#, 3, "a backslash is followed by no escape"), (#""\'""#, 3, "a backslash is followed by no escape"),
        (#""\u12g4""#, 3, "`\\u` is followed by no four hexadecimal digits"),
        (#""\u12"#, 3, "`\\u` is followed by no four hexadecimal digits"),
        (#""\ud800""#, 7, "a surrogate stands alone"), (#""\udc00""#, 7, "a surrogate stands alone"),
        (#""\ud800x""#, 7, "a surrogate stands alone"), (#""\ud800\n""#, 7, "a surrogate stands alone"),
        (#""\ud800\u0041""#, 13, "a surrogate stands alone"), (#""\ud800\ud800""#, 13, "a surrogate stands alone"),
        (#""\udc00\ud800""#, 7, "a surrogate stands alone"),
    ])
    func `a fault of a string is named with its byte`(_ text: String, _ offset: Int, _ message: String) {
        #expect(Self.fault(Array(text.utf8)) == JSONSyntaxError(message: message, offset: offset))
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]]
    )
    func `bytes that are not UTF-8 are refused at the end of their string`(_ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let fault = JSONSyntaxError(message: "a string is not UTF-8", offset: bytes.count + 1)
        #expect(Self.fault([quote] + bytes + [quote]) == fault)
    }

    @Test func `UTF-16 is refused at its first byte`() {
        let texts: [[UInt8]] = [[0, 0x7B, 0, 0x7D], [0xFE, 0xFF], [0xFF, 0xFE], [0xFF, 0xFE, 0x7B, 0]]
        for bytes in texts { #expect(Self.fault(bytes)?.offset == 0) }
        // In the other order of bytes, the first brace opens an object whose name does not come.
        #expect(Self.fault([0x7B, 0, 0x7D, 0])?.offset == 1)
    }

    // MARK: Names given twice

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, 12, "a"), (#"{"a":1,"b":{},"\u0061":2}"#, 24, "a"), (#"[{"":1,"":1}]"#, 11, ""),
    ])
    func `a name that is given twice is refused`(_ text: String, _ offset: Int, _ name: String) {
        let fault = JSONSyntaxError(message: "the key `\(name)` is given twice", offset: offset)
        #expect(Self.fault(Array(text.utf8)) == fault)
    }

    @Test(arguments: [2, 8, 9, 10, 300])
    func `a name that is given twice is found among many`(_ count: Int) throws {
        for twice in [0, count / 2, count - 1] {
            let names = Array(0..<count) + [twice]
            let text = "{" + names.map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
            #expect(Self.fault(Array(text.utf8))?.message == "the key `k\(twice)` is given twice")
        }
    }

    @Test func `the last of two counts for who asks for that`() throws {
        let text = #"{"a":1,"b":2,"a":{"c":3,"c":4}}"#
        let value = try JSONParser.parse(Array(text.utf8), takesLast: true)
        #expect(value == .object(["a": .object(["c": .integer(4)]), "b": .integer(2)]))
    }

    // MARK: Bounds

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `values nest 33 deep, and no deeper`(_ opening: String, _ closing: String) {
        func nested(_ count: Int, _ core: String) -> [UInt8] {
            let (head, tail) = (String(repeating: opening, count: count), String(repeating: closing, count: count))
            return Array((head + core + tail).utf8)
        }
        let fault = JSONSyntaxError(message: "it nests deeper than 32 levels", offset: 33 * opening.utf8.count)
        #expect(Self.fault(nested(32, "1")) == nil)
        #expect(Self.fault(nested(33, "1")) == fault)
        #expect(Self.fault(nested(33, "[]")) == fault)
        // Text that is never closed is refused at the same byte: nothing reads on.
        #expect(Self.fault(Array(String(repeating: opening, count: 100_000).utf8)) == fault)
    }

    @Test func `values are counted, those in others included`() {
        let text = Array(#"[1,{"a":[2]}]"#.utf8)
        #expect(Self.fault(text, maximumValueCount: 5) == nil)
        #expect(
            Self.fault(text, maximumValueCount: 4) == JSONSyntaxError(message: "it has more than 4 values", offset: 9)
        )
        #expect(
            Self.fault(text, maximumValueCount: 0) == JSONSyntaxError(message: "it has more than 0 values", offset: 0)
        )
    }

    @Test func `a text that is cut off anywhere is refused`() throws {
        let text = Array(#"{"a":[1,-2.5e3,true,null,"x\u00e9\n"],"b":{"c":"\ud83d\ude00"}}"#.utf8)
        #expect(Self.fault(text) == nil)
        for count in 0..<text.count {
            let fault = try #require(Self.fault(Array(text[..<count])), "\(count) bytes")
            #expect(fault.offset <= count)
        }
    }

    // MARK: And back

    @Test(arguments: [
        (#"{ "b" : 1, "a" : [ true , null, 1.5, "x" ] }"#, #"{"a":[true,null,1.5,"x"],"b":1}"#),
        (#"{"é":1,"z":2,"":3}"#, #"{"":3,"z":2,"é":1}"#), (#""\u0001\u001f\"\\""#, #""\u0001\u001f\"\\""#),
        ("[9223372036854775807,-1,1e2]", "[9223372036854775807,-1,100]"),
    ])
    func `a value is written with its names in order`(_ text: String, _ written: String) throws {
        var writer = JSONWriter()
        writer.json(try JSONParser.parse(Array(text.utf8)))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == written)
        #expect(try JSONParser.parse(writer.bytes) == JSONParser.parse(Array(text.utf8)))
    }

    @Test(
        arguments: [
            (#"\n"#, "\n"), (#"\""#, "\""), ("é", "é"), ("\u{1F}", nil), ("\u{7F}", "\u{7F}"), (" ", " "),
        ] as [(String, String?)]
    )
    func `a character means the same wherever it is`(_ text: String, _ value: String?) {
        for before in 0..<20 {
            for after in 0..<20 {
                let (first, last) = (String(repeating: "b", count: before), String(repeating: "a", count: after))
                let found = try? JSONParser.parse(Array("\"\(first)\(text)\(last)\"".utf8))
                #expect(found == value.map { .string("\(first)\($0)\(last)") })
            }
        }
    }
}
