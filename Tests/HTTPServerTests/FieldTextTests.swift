import Testing

@testable import HTTPServer

/// Tests of header fields as bytes.
@Suite struct FieldTextTests {
    private static func fields(_ values: [String]) -> FieldValues {
        var fields = FieldValues.none
        for value in values { fields.append(value) }
        return fields
    }

    @Test(arguments: [[], ["a"], ["a", "b"], ["a", "b", "c"]])
    func `the values of a field keep their order`(_ values: [String]) {
        let fields = Self.fields(values)
        #expect(fields.all == values)
        #expect(fields.count == values.count)
        #expect(fields.first == values.first)
        #expect(fields.joined == (values.isEmpty ? nil : values.joined(separator: ", ")))
        #expect(fields.contains { $0 == "b" } == values.contains("b"))
    }

    @Test(arguments: [
        ([], false), (["close"], true), (["Keep-Alive, CLOSE"], true), (["a", "b ,\tclose"], true), (["closed"], false),
        (["clo se"], false), (["close\u{301}"], false), ([",,"], false),
    ])
    func `a token is found in a list, whatever its case`(_ values: [String], _ hasToken: Bool) {
        #expect(Self.fields(values).hasToken("close") == hasToken)
    }

    private static func consists(_ text: String, of bytes: [UInt8]) -> Bool { text.consists(of: bytes.span) }

    @Test func `a text consists of its own bytes only`() {
        for count in 0..<40 {
            let text = String(repeating: "a", count: count)
            #expect(Self.consists(text, of: Array(text.utf8)))
            #expect(!Self.consists(text, of: Array((text + "a").utf8)))
            for place in 0..<count {
                var other = Array(text.utf8)
                other[place] = UInt8(ascii: "b")
                #expect(!Self.consists(text, of: other))
            }
        }
    }

    @Test func `a field of the application is found by its name, whatever its case`() {
        let names = OwnFieldNames(["my-app", "my-user"])
        var fields = RequestFields(wanted: .own(1))
        for name in ["MY-APP", "my-User", "my-user", "my-apps", "Accept"] {
            fields.take(name, value: name, own: names)
        }
        let found = (0..<3).map { fields.hasOwn($0) }
        let values = (0..<3).map { fields.own($0).joined }
        #expect(found == [true, true, false])
        #expect(values == [nil, "my-User, my-user", nil])
    }
}
