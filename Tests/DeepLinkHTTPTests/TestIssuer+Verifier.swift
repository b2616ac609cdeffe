import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import Logging
import ServerTestSupport
import WaymarkTestSupport

extension TestIssuer {
    /// A verifier that has read the keys of the shared issuer from a file.
    static func verifier(
        levels: EndUserLevels = EndUserLevels(),
        grants: EndUserGrants = EndUserGrants()
    ) async throws -> EndUserVerifier {
        try await TemporaryFolder.with { folder in
            let path = folder + "/keys.json"
            try Data(await shared.value.document).write(to: URL(filePath: path))
            // Some of the keys are secrets.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            let verifier = try verifier(ofFile: path, levels: levels, grants: grants)
            try await verifier.refresher.readFile()
            return verifier
        }
    }

    /// A verifier that has not read its file yet.
    static func verifier(
        ofFile path: String,
        levels: EndUserLevels = EndUserLevels(),
        grants: EndUserGrants = EndUserGrants()
    ) throws -> EndUserVerifier {
        EndUserVerifier(
            try EndUserSettings(
                issuers: [issuer],
                audiences: [audience],
                source: .file(path: path),
                levels: levels,
                grants: grants
            ),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }
}
