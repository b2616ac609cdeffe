import DeepLinkFormats
import Testing

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks what is read in header fields.
@Suite struct HeaderFieldTests {
    @Test(arguments: [
        (["application/json"], true), (["APPLICATION/JSON ; q=0.1"], true), (["text/html"], false), ([""], true),
        (["*/*;q=0"], false), (["application/*;q=0, */*"], false), (["text/html", "*/*"], true),
        (["application/json;q=0.000, */*"], false), (["application/json;q=0.001"], true),
        (["application/json\u{301}"], false), (["application/json;q="], true),
    ])
    func `Accept lets the closest range decide`(_ fields: [String], _ isAllowed: Bool) {
        var values = FieldValues.none
        for field in fields { values.append(field) }
        #expect(AcceptHeader.allows(.json, by: values) == isAllowed)
    }

    @Test(arguments: [("\"a\"", true), ("W/\"a\"", true), ("\"b\" , \"a\"", true), ("*", true), ("\"A\"", false)])
    func `an entity tag is found, weak or not`(_ field: String, _ isThere: Bool) {
        #expect(IfNoneMatch.names("\"a\"", in: .one(field)) == isThere)
    }

    @Test(arguments: [
        "localhost:+80", "localhost:-1", "localhost:", "localhost:99999", "localhost:8 0", "[::1]:+80", "[::1",
    ])
    func `a port is decimal digits`(_ authority: String) {
        #expect(HostName(authority: authority) == nil)
    }
}
