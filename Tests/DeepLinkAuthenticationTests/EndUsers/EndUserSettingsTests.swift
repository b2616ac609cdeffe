import Testing

@testable import DeepLinkAuthentication

@Suite struct EndUserSettingsTests {
    private func fault(
        issuers: [String] = ["i"],
        audiences: [String] = ["a"],
        source: EndUserSettings.Source = .file(path: "keys.json"),
        refreshInterval: Int = EndUserSettings.defaultRefreshInterval
    ) -> EndUserSettingsError? {
        do throws(EndUserSettingsError) {
            _ = try EndUserSettings(
                issuers: issuers,
                audiences: audiences,
                source: source,
                refreshInterval: refreshInterval
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func `settings that make no sense are named`() {
        #expect(fault() == nil)
        for none in [[], [""], ["i", ""]] {
            #expect(fault(issuers: none) == .emptyIssuer)
            #expect(fault(audiences: none) == .emptyAudience)
        }
        #expect(fault(source: .file(path: "")) == .emptyPath)
        for interval in [Int.min, 0, 9, 86_401] { #expect(fault(refreshInterval: interval) == .refreshInterval) }
        for interval in [10, 86_400] { #expect(fault(refreshInterval: interval) == nil) }
    }

    @Test(arguments: [
        ("https://id.example/jwks.json", nil), ("HTTPS://id.example:8443/jwks?tenant=1", nil),
        ("http://127.0.0.1:8080/jwks.json", nil), ("http://localhost/jwks.json", nil), ("http://[::1]:80/", nil),
        ("http://127.9.9.9/", nil),
        ("http://id.example/jwks.json", TrustedURLError.insecure), ("http://10.0.0.1/", .insecure),
        ("http://127.evil.example/", .insecure), ("http://localhost.evil.example/", .insecure),
        ("http://[::2]/", .insecure), ("ftp://id.example/", .insecure), ("file:///etc/passwd", .malformed),
        ("jwks.json", .malformed), ("", .malformed), ("https://", .malformed), ("https:///jwks.json", .malformed),
        ("https://id.example/a b", .malformed), ("https://user:secret@id.example/", .surplus),
        ("https://user@id.example/", .surplus), ("https://id.example/#x", .surplus),
        ("http://127.0.0.1@id.example/", .insecure),
    ])
    func `keys are fetched over TLS, or from this machine`(_ text: String, _ fault: TrustedURLError?) {
        #expect(self.fault(source: .url(text)) == fault.map { .url($0) })
    }

    @Test(arguments: [
        ("https://id.example/a/jwks", "/b", "https://id.example/b"),
        ("https://id.example/a/jwks", "b", "https://id.example/a/b"),
        ("https://id.example/a", "https://other.example/b", "https://other.example/b"),
        ("https://id.example/a", "//other.example/b", "https://other.example/b"),
        ("https://id.example/a", "http://id.example/a", nil), ("https://id.example/a", "http://127.0.0.1/a", nil),
        ("http://127.0.0.1/a", "http://localhost/a", "http://localhost/a"),
        ("http://127.0.0.1/a", "https://id.example/a", "https://id.example/a"),
        ("http://127.0.0.1/a", "http://id.example/a", nil), ("https://id.example/a", "https://me@id.example/", nil),
    ])
    func `no redirection leaves https`(_ from: String, _ location: String, _ target: String?) throws {
        #expect((try? TrustedURL(from).redirection(to: location))?.text == target)
    }

    @Test func `the query of a URL is not logged`() throws {
        #expect(try TrustedURL("https://id.example/jwks?secret=1").name == "https://id.example/jwks")
    }
}
