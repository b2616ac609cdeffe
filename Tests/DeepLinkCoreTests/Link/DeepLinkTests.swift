import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct DeepLinkTests {
    @Test(arguments: [
        ("", LinkSyntaxError.Reason.empty, 0),
        (" nav:/a", .surroundingSpace, 0),
        ("nav:/a ", .surroundingSpace, 6),
        ("nav", .noScheme, 3),
        ("na v:/a", .noScheme, 2),
        ("nav:a", .opaquePath, 4),
        ("nav:", .emptyPath, 4),
        ("nav:?x=1", .emptyPath, 4),
        ("https:/a", .missingHost, 6),
        ("https:///a", .missingHost, 8),
        ("https://:80/a", .missingHost, 8),
        ("https://good.com\\@evil.com", .backslash, 16),
        ("https://good.com@evil.com/a", .userinfo, 16),
        ("https://user:pass@host/", .userinfo, 17),
        ("https://a..b/", .badHost, 10),
        ("nav://.a/b", .badHost, 6),
        ("nav://:80/", .badHost, 6),
        ("https://a b/", .badHost, 9),
        ("https://[::1]/", .ipHost, 8),
        ("https://a:8a/", .badPort, 11),
        ("https://a:65536/", .badPort, 10),
        ("nav:/a\\b", .backslash, 6),
        ("nav:/a?b=\\", .backslash, 9),
        ("nav:/a%00", .controlCharacter, 6),
        ("nav:/a\u{85}b", .controlCharacter, 6),
        ("nav:/a%C2%85", .controlCharacter, 6),
        ("nav:/a%0A", .controlCharacter, 6),
        ("nav:/a?b%0A=", .controlCharacter, 8),
        ("nav:/a?b=1&%09", .controlCharacter, 11),
        ("nav:/a?b=\n", .controlCharacter, 9),
        ("nav:/a?b=%0B", .controlCharacter, 9),
        ("nav:/a?b=%0A%7F", .controlCharacter, 12),
        ("nav:/a?b=#%0D", .controlCharacter, 10),
        ("nav:/a%2", .badPercent, 6),
        ("nav:/a%ff", .badUTF8, 6),
        ("nav:/é%C3/", .badUTF8, 7),
        ("nav:/%C0%AF", .badUTF8, 5),
        ("nav:/%ED%A0%80", .badUTF8, 5),
        ("nav:/a/%2E./b", .dotSegment, 7),
        ("nav:/a#%zz", .badPercent, 7),
    ])
    func `a refusal names the rule and the byte`(_ text: String, _ reason: LinkSyntaxError.Reason, _ offset: Int) {
        #expect(throws: LinkSyntaxError(reason, at: offset)) { try DeepLink(text) }
    }

    @Test func `a character is raw or escaped, not half of each`() throws {
        let head = Array("nav:/a?b=".utf8)
        for mixture in [Array("%C3".utf8) + [0xA9], [0xC3] + Array("%A9".utf8), Array("%E1%A4".utf8) + [0x80]] {
            #expect(throws: LinkSyntaxError(.badUTF8, at: head.count)) { try DeepLink(bytes: head + mixture) }
        }
        #expect(try DeepLink("nav:/a?b=é%C3%A9").queryItems.map(\.value) == ["éé"])
    }

    @Test func `a link has at most 8192 bytes, 256 segments and 128 pairs`() throws {
        func tooLong(_ text: String) -> Bool {
            do throws(LinkSyntaxError) {
                _ = try DeepLink(text)
                return false
            } catch {
                return error.reason == .tooLong
            }
        }
        let head = "nav:/"
        #expect(!tooLong(head + String(repeating: "a", count: 8192 - head.utf8.count)))
        #expect(tooLong(head + String(repeating: "a", count: 8193 - head.utf8.count)))
        #expect(!tooLong("nav:" + String(repeating: "//a", count: 256)))
        #expect(tooLong("nav:" + String(repeating: "/a", count: 257)))
        #expect(!tooLong("nav:/?" + String(repeating: "a=1&&", count: 128)))
        #expect(tooLong("nav:/?" + String(repeating: "a&", count: 129)))
    }

    @Test func `scheme and web hosts are lower-cased, custom hosts kept, default ports dropped`() throws {
        let web = try DeepLink("HTTPS://Example.COM:443/A?B#C")
        #expect((web.scheme, web.host, web.port) == ("https", "example.com", nil))
        #expect((web.segments, web.fragment) == (["A"], "C"))
        #expect(try DeepLink("http://h:80/").port == nil)
        #expect(try DeepLink("http://h:443/").port == 443)
        #expect(try DeepLink("Nav://Host/").host == "Host")
        #expect(try DeepLink("nav:/a").segments == DeepLink("nav:///a").segments)
    }

    @Test func `text is split raw and decoded once`() throws {
        let link = try DeepLink("nav:/a%2Fb/%252F?k%3D=v%26w&+=+&bare#f%20g")
        #expect(link.segments == ["a/b", "%2F"])
        #expect(
            link.queryItems == [
                QueryItem(name: "k=", value: "v&w"), QueryItem(name: "+", value: "+"),
                QueryItem(name: "bare", value: nil),
            ]
        )
        #expect(link.fragment == "f g")
    }

    @Test func `values of the query may have encoded tabs and line ends`() throws {
        let link = try DeepLink("nav:/a?b=%0D%0a%09é%0A=%0A&c=%0A#d")
        #expect(link.queryItems.map(\.value) == ["\r\n\té\n=\n", "\n"])
    }

    @Test func `no bytes make the parser trap, and a refusal points into them`() async {
        var mutator = LinkMutator(seed: 1)
        for number in 0..<Effort.part(of: 100_000) {
            // The servers of other tests share these threads.
            if number.isMultiple(of: 100) { await Task.yield() }
            let bytes = mutator.next()
            do throws(LinkSyntaxError) {
                let link = try DeepLink(bytes: bytes)
                #expect(link.segments.count <= DeepLink.maximumSegmentCount)
                #expect(link.queryItems.count <= DeepLink.maximumPairCount)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
            }
        }
    }
}
