import DeepLinkCore
import Logging
import ServerTestSupport

@testable import DeepLinkAuthentication

extension TestIssuer {
    /// A verifier that has read a document.
    static func verifier(
        _ document: [UInt8],
        ring: KeyRing = KeyRing()
    ) async throws -> EndUserVerifier {
        let source = MemorySource(document)
        let verifier = EndUserVerifier(settings(source), ring: ring, logger: logger)
        try await verifier.refresher.readFile()
        return verifier
    }

    /// A verifier with the keys of the shared issuer.
    static func verifier() async throws -> EndUserVerifier { try await verifier(shared.value.document) }

    /// Settings whose keys are read again for an unknown one once only, however slow the machine is.
    static func settings(_ source: any KeySetSource, interval: Duration = .seconds(300)) -> EndUserSettings {
        EndUserSettings(
            issuers: [issuer],
            audiences: [audience],
            source: source,
            pace: RefreshPace(interval: interval, spacing: .seconds(3600))
        )
    }

    /// A logger that says nothing.
    static var logger: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
