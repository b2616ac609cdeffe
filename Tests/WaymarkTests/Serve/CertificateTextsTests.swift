import HTTPServer
import Testing

@testable import WaymarkServer

/// Tests of the messages about certificates.
@Suite struct CertificateTextsTests {
    @Test func `messages name the place in the chain, and times`() {
        let errors: [ServerCertificateError] = [
            .noCertificate, .noKey, .encryptedKey, .wrongKey, .ownNotFirst(place: 2), .wrongOrder(place: 3),
            .expired(place: 2, end: 1_795_000_000), .notYetValid(place: 1, start: 1_795_000_000),
        ]
        #expect(Set(errors.map(\.message)).count == errors.count)
        #expect(ServerCertificateError.wrongOrder(place: 3).message.contains("place 3"))
        #expect(ServerCertificateError.expired(place: 2, end: 1_795_000_000).message.contains("2026-11-18T11:06:40"))
    }
}
