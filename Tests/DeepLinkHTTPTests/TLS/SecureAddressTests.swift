import Testing

@testable import DeepLinkHTTP

/// Tests of the addresses that requests in plain text are redirected to.
@Suite struct SecureAddressTests {
    @Test(arguments: [
        // The ports are those of the settings.
        ("links.example.com", 443, 80, "https://links.example.com/p/42?a=b"),
        ("links.example.com:80", 443, 80, "https://links.example.com/p/42?a=b"),
        ("LINKS.example.com", 8443, 80, "https://links.example.com:8443/p/42?a=b"),
        ("127.0.0.1:8080", 8443, 8080, "https://127.0.0.1:8443/p/42?a=b"),
        ("[::1]:8080", 8443, 8080, "https://[::1]:8443/p/42?a=b"),
        // The ports are mapped.
        ("links.example.com", 8443, 8080, "https://links.example.com/p/42?a=b"),
        ("links.example.com:9000", 8443, 8080, "https://links.example.com/p/42?a=b"),
    ])
    func `an address has the host and the target of the request`(
        _ authority: String,
        port: Int,
        redirectPort: Int,
        expected: String
    ) {
        let address = SecureAddress(port: port, redirectPort: redirectPort)
        #expect(address.location(authority: authority, target: "/p/42?a=b") == expected)
    }

    @Test(arguments: [
        "", ":80", "a b", "user@host", "host/path", "host\\path", "host:port", "host:80:80", "host:99999", "[::1",
        "[host]",
        "a\r\nSet-Cookie: a", "é.example", "host?", "host#", "a,b", String(repeating: "a", count: 260),
    ])
    func `what is no host gets no address`(_ authority: String) {
        #expect(SecureAddress(port: 443, redirectPort: 80).location(authority: authority, target: "/") == nil)
    }

    @Test func `a target that begins with two slashes names no other host`() {
        let address = SecureAddress(port: 443, redirectPort: 80)
        #expect(address.location(authority: "a.example", target: "//b.example/") == "https://a.example//b.example/")
        #expect(address.location(authority: "a.example", target: "@b.example/") == nil)
        #expect(address.location(authority: "a.example", target: "*") == nil)
    }
}
