import DeepLinkCore
import DeepLinkReporting
import Foundation
import Logging
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

@Suite
struct ResolutionLogTests {
    private func event(_ link: String, _ id: Int = 0) throws -> LinkEvent {
        let catalog = try SampleApp.catalog()
        let request = ResolutionRequest(link: try DeepLink(link))
        guard case .plan(let plan) = resolve(request, userLevel: .premiumUser, catalog: catalog) else {
            throw CocoaError(.featureUnsupported)
        }
        return LinkEvent(
            .resolved(LinkEvent.Resolved(plan)),
            of: request,
            catalog: catalog,
            at: Timestamp(millisecondsSinceEpoch: 1_795_000_000_000),
            requestID: "\(id)"
        )
    }

    private func lines(_ path: String) throws -> [Substring] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    }

    @Test
    func `the log is begun anew at its size, and again where it was moved away`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/resolutions.ndjson"
            let log = try ResolutionLogFile(path: path, maximumByteCount: 1000, logger: Logger(label: "test"))
            let event = try event("navigation:/episodes/episode/424242")
            for _ in 0..<10 {
                log.observe(event)
                log.finish()
            }
            #expect(try lines(path).count + lines(path + ".1").count <= 10)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count <= 1000)
            #expect(try !lines(path).isEmpty)
            try FileManager.default.moveItem(atPath: path, toPath: folder + "/moved")
            let moved = try lines(folder + "/moved").count
            log.reopen()
            log.finish()
            log.observe(event)
            log.finish()
            #expect(try lines(folder + "/moved").count == moved)
            #expect(try lines(path).count == 1)
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("424242"))
            #expect(log.droppedCount == 0)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test
    func `lines that come faster than they are written are dropped and counted, never waited for`() async throws {
        try await TemporaryFolder.with { folder in
            let log = try ResolutionLogFile(
                path: folder + "/resolutions.ndjson",
                maximumByteCount: 1 << 30,
                logger: Logger(label: "test")
            )
            let event = try event("navigation:/onboarding")
            let count = 200_000
            for _ in 0..<count { log.observe(event) }
            log.finish()
            #expect(try lines(folder + "/resolutions.ndjson").count + log.droppedCount == count)
        }
    }

    @Test
    func `a log that cannot be opened stops the start`() throws {
        #expect(throws: CommandError.self) {
            try ResolutionLogFile(path: "/nowhere/log", maximumByteCount: 1, logger: Logger(label: "test"))
        }
    }
}
