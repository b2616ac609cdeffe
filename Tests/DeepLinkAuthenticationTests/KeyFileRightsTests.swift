import Foundation
import Logging
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

/// Tests of who may read a file of keys.
@Suite struct KeyFileRightsTests {
    /// Modes and groups of files, for a process that is in the groups 10 and 20, and whether they are open to others.
    private static let cases: [(mode: UInt32, group: UInt32, isExposed: Bool)] = [
        (0o600, 30, false), (0o400, 30, false), (0o700, 30, false),
        (0o440, 10, false), (0o640, 20, false), (0o660, 20, false), (0o670, 10, false),
        (0o440, 30, true), (0o640, 30, true), (0o620, 30, true), (0o610, 0, true),
        (0o604, 10, true), (0o602, 10, true), (0o601, 10, true), (0o644, 10, true), (0o644, 30, true),
        (0o666, 20, true),
    ]

    @Test(arguments: cases)
    func `its owner and the groups of this process may read it, and nobody else`(
        _ mode: UInt32,
        _ group: UInt32,
        _ isExposed: Bool
    ) {
        #expect(KeyFileRights.isExposed(mode: 0o100_000 | mode, group: group, toOthersThan: [10, 20]) == isExposed)
    }

    @Test func `the message names file, mode and group, and the fix`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/keys.json"
            #expect(KeyFileRights.fault(ofFileAt: path) == nil)
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
            func fault(_ mode: Int) throws -> String? {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                return KeyFileRights.fault(ofFileAt: path)
            }
            for mode in [0o600, 0o640, 0o660, 0o440] { #expect(try fault(mode) == nil) }
            let message = try #require(try fault(0o644))
            #expect(message.contains("`\(path)`") && message.contains("mode 644, group \(getegid())"))
            #expect(message.contains("`chmod 600 \(path)`"))
            // Only root gives a file to a group that it is not in.
            if chown(path, getuid(), 54_321) == 0 {
                #expect(try fault(0o640)?.contains("mode 640, group 54321") == true)
                #expect(try fault(0o600) == nil)
            }
            // The rights are those of what a link leads to, as in a volume of Kubernetes.
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "keys.json")
            #expect(try fault(0o604) != nil && KeyFileRights.fault(ofFileAt: folder + "/link") != nil)
        }
    }

    @Test func `secrets of end users' tokens are refused where others may read them, and public keys are not`()
        async throws
    {
        let issuer = try await TestIssuer.shared.value
        try await TemporaryFolder.with { folder in
            let path = folder + "/keys.json"
            func read(_ keys: [TestIssuer.Key], mode: Int) async throws -> KeySetError? {
                try Data(TestIssuer.document(keys.map(\.jwk))).write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                let settings = TestIssuer.settings(KeyFile(path: path))
                let verifier = EndUserVerifier(settings, logger: TestIssuer.logger)
                do throws(KeySetError) {
                    try await verifier.refresher.readFile()
                    return nil
                } catch {
                    return error
                }
            }
            #expect(try await read([issuer.curve, issuer.rsa], mode: 0o644) == nil)
            #expect(try await read(issuer.all, mode: 0o640) == nil)
            let fault = try await read(issuer.all, mode: 0o644)
            #expect(fault == KeyFileRights.fault(ofFileAt: path).map { .invalid([$0]) })
            #expect(fault != nil)
        }
    }
}
