import DeepLinkFormats
import Testing

/// Tests of the API's own query, and the decoding of forms and paths.
@Suite struct FormQueryTests {
    private static let names = ["link", "mode", "explain"]

    /// The field, reason and message of what is thrown; `nil` if nothing is.
    private static func refusal(_ body: () throws(Problem) -> Void) -> InvalidRequest? {
        do throws(Problem) {
            try body()
            return nil
        } catch {
            return InvalidRequest(error)
        }
    }

    @Test(
        arguments: [
            ("", [:]), ("&&", [:]), ("link=a", ["link": "a"]), ("link=", ["link": ""]), ("link", ["link": ""]),
            ("link=a=b=c", ["link": "a=b=c"]), ("&link=a&&mode=b&", ["link": "a", "mode": "b"]),
            ("link=a+b%2Bc%20d", ["link": "a b+c d"]), ("l%69nk=x", ["link": "x"]), ("link=%C3%A9%e9", ["link": nil]),
            ("link=%C3%A9é", ["link": "éé"]), ("link=%26%3D%25", ["link": "&=%"]), ("link=%00", ["link": "\0"]),
            ("link=a;mode=b", ["link": "a;mode=b"]),
            ("mode=1&explain=2&link=3", ["link": "3", "mode": "1", "explain": "2"]),
        ] as [(String, [String: String?])]
    )
    func `a query is read as its values`(_ text: String, _ values: [String: String?]) throws {
        let query = try FormQuery(text, names: Self.names)
        for name in Self.names {
            #expect((query.bytes(name) != nil) == values.keys.contains(name), "\(name)")
            guard let value = values[name] else { continue }
            guard let value else {
                let refusal = Self.refusal { () throws(Problem) in _ = try query.text(name) }
                #expect(refusal == InvalidRequest(name, "malformed", "`\(name)` is not UTF-8."))
                continue
            }
            #expect(try query.text(name) == value)
        }
    }

    @Test(arguments: [
        ("link=a&link=a", "link", "duplicate", "`link` is given twice."),
        ("link&l%69nk", "link", "duplicate", "`link` is given twice."),
        ("link=%", "link", "malformed", "`link` has a `%` without two hexadecimal digits."),
        ("link=a%4", "link", "malformed", "`link` has a `%` without two hexadecimal digits."),
        ("link=%4g", "link", "malformed", "`link` has a `%` without two hexadecimal digits."),
        ("link=a&%zz=1", "query", "malformed", "A name of the query is not percent-encoded UTF-8."),
        ("%FF=1", "query", "malformed", "A name of the query is not percent-encoded UTF-8."),
        (
            "Link=a", "Link", "unknown",
            "`Link` isn't a parameter here; there are link, mode, explain. If it belongs to the link, percent-encode the "
                + "link: `&` is `%26`, `?` is `%3F`."
        ),
        (
            "=a", "", "unknown",
            "`` isn't a parameter here; there are link, mode, explain. If it belongs to the link, percent-encode the link: "
                + "`&` is `%26`, `?` is `%3F`."
        ),
    ])
    func `a query is refused by its first fault`(_ text: String, _ field: String, _ reason: String, _ detail: String) {
        let refusal = Self.refusal { () throws(Problem) in _ = try FormQuery(text, names: Self.names) }
        #expect(refusal == InvalidRequest(field, reason, detail))
    }

    @Test func `an endpoint without parameters has none to list`() throws {
        #expect(try FormQuery("", names: []).bytes("a") == nil)
        let refusal = Self.refusal { () throws(Problem) in _ = try FormQuery("a=1", names: []) }
        #expect(refusal == InvalidRequest("a", "unknown", "`a` isn't a parameter here; there are none."))
        #expect(FormQuery.empty.bytes("a") == nil)
    }

    @Test(arguments: [
        ("link=a+b", true), ("link=+", true), ("link=a%2Bb", false), ("link=a%20b&mode=+", false), ("mode=+", false),
    ])
    func `a plus that stood for a space is told of`(_ text: String, _ hasPlus: Bool) throws {
        #expect(try FormQuery(text, names: Self.names).hasPlus(at: 0) == hasPlus)
    }

    @Test(arguments: [("true", true), ("1", true), ("false", false), ("0", false), ("%74rue", true)])
    func `a truth value has two words and two digits`(_ text: String, _ value: Bool) throws {
        let query = try FormQuery("explain=\(text)", names: Self.names)
        #expect(try query.bool("explain") == value)
        #expect(try query.bool("link") == nil)
    }

    @Test(arguments: ["", "TRUE", "yes", "2", "true ", "tr\u{301}ue"])
    func `no other text is a truth value`(_ text: String) throws {
        let query = try FormQuery("explain=\(text)", names: Self.names)
        let refusal = Self.refusal { () throws(Problem) in _ = try query.bool("explain") }
        #expect(refusal == InvalidRequest("explain", "invalid-value", "`explain` is `\(text)`; write true or false."))
    }

    // MARK: Decoding

    @Test(arguments: [
        ("", ""), ("a", "a"), ("%41%7a%7A", "Azz"), ("%2f%2F", "//"), ("%25%32%35", "%25"), ("é%C3%A9", "éé"),
        ("%00", "\0"),
    ])
    func `a percent sign and two digits are a byte`(_ text: String, _ decoded: String) {
        #expect(FormURLDecoding.decode(text.utf8) == Array(decoded.utf8))
        #expect(FormURLDecoding.decode(text.utf8, plusIsSpace: false) == Array(decoded.utf8))
    }

    @Test func `a plus is a space in forms alone`() {
        #expect(FormURLDecoding.decode("a+b%2B".utf8) == Array("a b+".utf8))
        #expect(FormURLDecoding.decode("a+b%2B".utf8, plusIsSpace: false) == Array("a+b+".utf8))
    }

    @Test(arguments: ["%", "%4", "a%", "%%41", "%4%41", "% 41", "%+1", "%0x41", "%é9"])
    func `a percent sign without two digits is refused`(_ text: String) {
        #expect(FormURLDecoding.decode(text.utf8) == nil)
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func `bytes that are not UTF-8 are no text`(_ bytes: [UInt8]) {
        #expect(FormURLDecoding.text(bytes) == nil)
        #expect(FormURLDecoding.text([0x61] + bytes + [0x61]) == nil)
    }

    @Test func `every byte comes back from its escape`() {
        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16)
            let escape = "%" + (digits.count == 1 ? "0" : "") + digits
            #expect(FormURLDecoding.decode(escape.utf8) == [byte])
            #expect(FormURLDecoding.decode(escape.uppercased().utf8) == [byte])
        }
    }

    @Test(arguments: [("%41", "A"), ("+", " "), ("é", "é"), ("%zz", nil), ("%4", nil)] as [(String, String?)])
    func `a byte means the same wherever it is`(_ text: String, _ decoded: String?) throws {
        for before in 0..<20 {
            for after in 0..<20 where decoded != nil || after == 0 {
                let (first, last) = (String(repeating: "b", count: before), String(repeating: "a", count: after))
                let expected = decoded.map { Array("\(first)\($0)\(last)".utf8) }
                #expect(FormURLDecoding.decode("\(first)\(text)\(last)".utf8) == expected)
                let query = "mode=\(first)\(text)\(last)&link=\(last)"
                guard let expected else {
                    #expect(Self.refusal { () throws(Problem) in _ = try FormQuery(query, names: Self.names) } != nil)
                    continue
                }
                let read = try FormQuery(query, names: Self.names)
                #expect(read.bytes("mode").map { Array($0) } == expected)
                #expect(read.bytes("link").map { Array($0) } == Array(last.utf8))
            }
        }
    }
}
