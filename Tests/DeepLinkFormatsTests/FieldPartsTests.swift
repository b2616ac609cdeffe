import DeepLinkFormats
import Testing

/// Checks how header fields are taken apart.
@Suite struct FieldPartsTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a,b", ["a", "b"]), (" a \t, b ", ["a", "b"]), (",", ["", ""]),
        ("a,,", ["a", "", ""]),
        ("\u{301},a\u{301}", ["\u{301}", "a\u{301}"]),
    ])
    func `parts are divided and trimmed`(_ field: String, _ parts: [String]) {
        #expect(FieldParts(of: field, at: ",").map { Array($0) } == parts.map { Array($0.utf8) })
    }
}
