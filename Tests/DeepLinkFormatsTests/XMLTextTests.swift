import Testing

@testable import DeepLinkFormats

/// Checks the texts of XML.
@Suite struct XMLTextTests {
    @Test(arguments: [
        ("a<b>&\"c\"'", "a&lt;b&gt;&amp;&quot;c&quot;'"), ("\0\u{1F}\n", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{FFFE}", "\u{FFFD}"),
        ("\u{7F}\u{202E}", "&#x7f;&#x202e;"), ("é日\u{1F600}", "é日\u{1F600}"),
        ("a\u{301}&\u{301}", "a\u{301}&amp;\u{301}"),
    ])
    func `a text is escaped for XML`(_ text: String, _ escaped: String) {
        #expect(Array(XMLText.escaped(text).utf8) == Array(escaped.utf8))
    }
}
