import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks which links look as if nobody had filled them in.
@Suite struct LinkWarningTests {
    @Test(arguments: [
        ("https://a.example/user/{{handle}}", "{{handle}}", 23),
        ("https://a.example/user/{{ user.name | default: \"x\" }}/b", "{{ user.name | default: \"x\" }}", 23),
        ("https://a.example/user/%7B%7Bhandle%7D%7D?x=1", "%7B%7Bhandle%7D%7D", 23),
        ("https://a.example/user/%7b%7b", "%7b%7b", 23), ("https://a.example/?x={{name", "{{", 21),
        ("https://a.example/user/${id}", "${id}", 23), ("https://a.example/user/%24%7Bid%7D", "%24%7Bid%7D", 23),
        ("https://a.example/user/[first_name]", "[first_name]", 23), ("a:/x?n=[first name]", "[first name]", 7),
        ("a:/x?n=%5Bname%5D", "%5Bname%5D", 7), ("a:/x/{id}", "{id}", 5), ("a:/x/*|FNAME|*", "*|FNAME|*", 5),
        ("a:/x/[object Object]", "[object Object]", 5), ("a:/x/[object%20Object]/undefined", "[object%20Object]", 5),
    ])
    func `a placeholder that was not filled in is found`(_ link: String, _ text: String, _ offset: Int) {
        let warning = LinkWarning.first(in: link)
        #expect(warning?.sign == .placeholder)
        #expect(warning?.text == text)
        #expect(warning?.offset == offset)
    }

    @Test(arguments: [
        ("a:/x/undefined", "undefined", 5), ("a:/x/null/y", "null", 5), ("a:/x?id=NaN", "NaN", 8),
        ("a:/x?id=1&n=undefined#f", "undefined", 12), ("a:/x/None?y", "None", 5), ("undefined", "undefined", 0),
    ])
    func `a value that a program had not is found`(_ link: String, _ text: String, _ offset: Int) {
        let warning = LinkWarning.first(in: link)
        #expect(warning?.sign == .missingValue)
        #expect(warning?.text == text)
        #expect(warning?.offset == offset)
    }

    @Test func `a raw space is found, an encoded one is none`() {
        let warning = LinkWarning.first(in: "a:/x/b c")
        #expect(warning?.sign == .rawSpace)
        #expect(warning?.text == " ")
        #expect(warning?.offset == 6)
        #expect(LinkWarning.first(in: "a:/x/b%20c") == nil)
    }

    @Test(arguments: [
        "https://a.example/user/ada", "https://a.example/x?filter[price]=1&items[]=2&a%5Bb%5D=3", "a:/x?j={\"a\":1}",
        "a:/x/items[0]", "a:/undefined-behaviour", "a:/x/nullable?null=1", "a:/x%2Fundefined", "a:/x/$5", "a:/x/*", "",
        "%",
        "a:/x/[", "a:/x/{", "a:/{}", "a:/x/[a", "a:/x/%7", "a:/x/undefinedx",
    ])
    func `other links have no sign`(_ link: String) {
        #expect(LinkWarning.first(in: link) == nil)
    }

    @Test(arguments: ["{{", "{a", "[a", "*|", "${", "[a]=", "%5B", "?["])
    func `a long link is read once`(_ part: String) {
        func link(of part: String) -> String {
            "a:/x?" + String(repeating: part, count: 100_000 / part.utf8.count)
        }
        let (link, plain) = (link(of: part), link(of: "a"))
        let ratio = CostRatio {
            _ = LinkWarning.first(in: link)
        } over: {
            _ = LinkWarning.first(in: plain)
        }
        #expect(ratio.isWithinLimit, "\(ratio)")
    }
}
