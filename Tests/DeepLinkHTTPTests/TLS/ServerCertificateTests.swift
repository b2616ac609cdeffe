import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of certificates and keys that do and do not fit each other.
@Suite struct ServerCertificateTests {
    private static let day: Int64 = 86_400

    private var now: Int64 { Int64(Date.now.timeIntervalSince1970) }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func error(
        chain: [UInt8],
        key: [UInt8],
        daysFromNow days: Int64 = 0
    ) -> ServerCertificateError? {
        let time = now + days * Self.day
        do throws(ServerCertificateError) {
            _ = try ServerCertificate(chain: chain, key: key, at: time)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a chain in order is taken with its key, and ends with its first end`() async throws {
        try await TemporaryFolder.with { folder in
            let pair = try await TestAuthority(in: folder).issue("leaf", days: 30)
            let (chain, key) = (try bytes(pair.chain), try bytes(pair.key))
            let certificate = try ServerCertificate(chain: chain, key: key, at: now)
            #expect(certificate.count == 2)
            let days = (certificate.end - now) / Self.day
            #expect(days == 29 || days == 30)
            let again = try ServerCertificate(chain: chain, key: key, at: now)
            #expect(again.isSame(as: certificate))
            let alone = try ServerCertificate(chain: bytes(pair.certificate), key: key, at: now)
            #expect(!alone.isSame(as: certificate))
        }
    }

    @Test func `each fault has an error of its own`() async throws {
        try await TemporaryFolder.with { folder in
            let authority = try await TestAuthority(in: folder)
            let (pair, other) = (try await authority.issue("leaf"), try await authority.issue("other"))
            let (chain, key) = (try bytes(pair.chain), try bytes(pair.key))
            #expect(error(chain: [], key: key) == .noCertificate)
            #expect(error(chain: Array("certificate".utf8), key: key) == .noCertificate)
            #expect(error(chain: key, key: key) == .noCertificate)
            #expect(error(chain: Array(chain.prefix(300)), key: key) == .noCertificate)
            #expect(error(chain: chain, key: []) == .noKey)
            #expect(error(chain: chain, key: chain) == .noKey)
            #expect(error(chain: chain, key: try bytes(other.key)) == .wrongKey)
            let (own, issuer) = (try bytes(pair.certificate), try bytes(authority.issuer))
            let root = try bytes(authority.root)
            #expect(error(chain: issuer + own, key: key) == .ownNotFirst(place: 2))
            #expect(error(chain: own + root + issuer, key: key) == .wrongOrder(place: 2))
            #expect(error(chain: own + issuer + own, key: key) == .wrongOrder(place: 3))
            #expect(error(chain: own + issuer + root, key: key) == nil)
            try await TestAuthority.openssl([
                "pkey", "-in", pair.key, "-aes256", "-passout", "pass:secret", "-out", folder + "/encrypted.key",
            ])
            #expect(error(chain: chain, key: try bytes(folder + "/encrypted.key")) == .encryptedKey)
        }
    }

    @Test func `a certificate that has ended is refused, and one that has not begun`() async throws {
        try await TemporaryFolder.with { folder in
            let pair = try await TestAuthority(in: folder).issue("leaf", days: 30)
            let (chain, key) = (try bytes(pair.chain), try bytes(pair.key))
            #expect(error(chain: chain, key: key, daysFromNow: 29) == nil)
            guard case .expired(place: 1, end: _) = error(chain: chain, key: key, daysFromNow: 31) else {
                Issue.record("it is taken after its end")
                return
            }
            guard case .notYetValid(place: 1, start: _) = error(chain: chain, key: key, daysFromNow: -1) else {
                Issue.record("it is taken before its start")
                return
            }
        }
    }

    @Test func `bytes that are cut short have no names`() async throws {
        try await TemporaryFolder.with { folder in
            let authority = try await TestAuthority(in: folder)
            func names(_ path: String) async throws -> (CertificateNames, [UInt8]) {
                try await TestAuthority.openssl(["x509", "-in", path, "-outform", "der", "-out", folder + "/der"])
                let der = try bytes(folder + "/der")
                return (try #require(CertificateNames(der: der)), der)
            }
            let (root, _) = try await names(authority.root)
            let (issuer, der) = try await names(authority.issuer)
            #expect(root.issuer == root.subject)
            #expect(issuer.issuer == root.subject)
            #expect(issuer.subject != root.subject)
            for count in der.indices { #expect(CertificateNames(der: Array(der.prefix(count))) == nil) }
            for index in der.indices.prefix(200) {
                var hostile = der
                hostile[index] = 0xFF
                // Names or none: reading ends either way.
                _ = CertificateNames(der: hostile)
            }
        }
    }
}
