import DeepLinkCore
import DeepLinkReporting
import Foundation
import Synchronization
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of the file of the audit log.
@Suite struct AuditLogWriterTests {
    private func entry(_ number: Int) -> AuditEntry {
        AuditEntry(
            .loadCatalog,
            of: .catalog,
            at: Timestamp(millisecondsSinceEpoch: Int64(number)),
            by: AuditActor(.service),
            requestID: "\(number)"
        )
    }

    private func requests(_ path: String) throws -> [String] {
        var file = try AuditFile(path)
        var requests: [String] = []
        while let record = try file.next() { requests.append(record.requestID ?? "") }
        #expect(file.damagedCount == 0)
        return requests
    }

    private func writer(_ path: String) throws -> AuditLogWriter {
        let opened = try AuditLogWriter(.file(path)) { _, _ in }
        return try #require(opened)
    }

    @Test func `a line is in the file when its change goes on`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/audit.log"
            let log = try writer(path)
            for number in 0..<10 {
                await log.write([entry(number)])
                #expect(try requests(path).last == "\(number)")
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600 && log.lostCount == 0)
        }
    }

    @Test func `changes at a time, also of two processes, lose nothing and tear no line`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/audit.log"
            let logs = [try writer(path), try writer(path)]
            await withTaskGroup { group in
                for number in 0..<2000 {
                    let (log, entries) = (logs[number % 2], [entry(number), entry(number + 10_000)])
                    group.addTask { await log.write(entries) }
                }
            }
            let found = try requests(path)
            #expect(found.count == 4000 && Set(found).count == 4000)
        }
    }

    @Test func `a file that others have renamed is begun anew on the signal`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/audit.log"
            let log = try writer(path)
            await log.write([entry(1)])
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            log.reopen()
            await log.write([entry(2)])
            #expect(try requests(path + ".1") == ["1"] && requests(path) == ["2"])
            #expect(try AuditFiles.ofSetting(.file(path)) == [path + ".1", path])
        }
    }

    @Test func `lines that a full disk does not take are counted, and told once, and the change goes on`() async throws
    {
        let told = Mutex<[Bool]>([])
        let opened = try AuditLogWriter(.file("/dev/full")) { _, isFault in told.withLock { $0.append(isFault) } }
        let log = try #require(opened)
        for number in 0..<3 { await log.write([entry(number), entry(number)]) }
        let faults = told.withLock(\.self)
        #expect(log.lostCount == 6 && faults == [true])
    }

    @Test func `a line that another process has torn is ended before the next one`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/audit.log"
            var file = try #require(LineFile(path: path))
            try file.append(Array("a\n".utf8))
            let other = try #require(FileHandle(forWritingAtPath: path))
            try other.seekToEnd()
            try other.write(contentsOf: Data("tor".utf8))
            for line in ["b\n", "c\n"] { try file.append(Array(line.utf8)) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "a\ntor\nb\nc\n")
        }
    }

    @Test func `a file that was removed is made anew`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/audit.log"
            var file = try #require(LineFile(path: path))
            try file.append(Array("a\n".utf8))
            try FileManager.default.removeItem(atPath: path)
            try file.append(Array("b\n".utf8))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "b\n")
        }
    }

    @Test func `lines for a pipe are written whole, as many at once as it takes at once`() {
        let lines = [3000, 1000, 95, 2, 5000, 1, 4095].map { [UInt8](repeating: 65, count: $0) + [10] }
        let parts = AuditLogWriter.parts(of: lines.flatMap(\.self))
        #expect(parts.map(\.count) == [3001 + 1001, 96 + 3, 5001, 2, 4096])
        #expect(Array(parts.joined()) == lines.flatMap(\.self))
    }

    @Test func `a log that cannot be opened is refused, and none is none`() throws {
        let error = #expect(throws: CommandError.self) {
            try AuditLogWriter(.file("/nowhere/audit.log"), settingsFile: "/etc/waymark/service.yaml") { _, _ in }
        }
        #expect(error?.message?.hasSuffix("audit.path in the settings file /etc/waymark/service.yaml.") == true)
        #expect(try AuditLogWriter(.off, report: { _, _ in }) == nil)
        #expect(AuditLocation("none") == .off && AuditLocation("stderr") == .standardError)
        #expect(AuditLocation("./none") == .file("./none"))
    }
}
