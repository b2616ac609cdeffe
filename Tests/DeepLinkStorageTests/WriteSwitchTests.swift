import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of what keeps a store from accepting changes, and what lifts it.
@Suite struct WriteSwitchTests {
    @Test(arguments: [ResultCode.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_CORRUPT])
    func `after a write that failed no change is accepted until a start has checked the file`(
        _ code: ResultCode
    ) async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                _ = try await store.save(StoreFixture.write("ada"))
                await #expect(throws: (any Error).self) {
                    try await store.write { _ in throw DatabaseError(resultCode: code) }
                }
                await #expect(throws: WritesUnavailableError.self) { try await store.save(StoreFixture.write("bob")) }
                #expect(try store.state(of: StoreFixture.id("ada"))?.version == 1)
                #expect(throws: WritesUnavailableError.self) { try store.checkUsable() }
                #expect(fixture.lock.hasPrefix("failed"))
                // Neither is anything moved from the log, nor the end noted as clean.
                let size = store.logByteCount
                try store.close()
                #expect(size > 0 && store.logByteCount == size)
            }
            let store = try fixture.serving(checksAtOnce: false)
            #expect(store.refusal == .unverified(path: fixture.path))
            try await store.verify()
            #expect(store.refusal == nil)
            #expect(try await store.save(StoreFixture.write("ada", .premiumUser)).state.version == 2)
            try store.close()
            #expect(fixture.lock.isEmpty)
        }
    }

    @Test func `a full disk refuses changes, and nothing else, as long as it is full`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            _ = try await store.save(StoreFixture.write("ada"))
            try await store.pool.writeWithoutTransaction { database in
                let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(count)")
            }
            #expect(!store.refusesWrites)
            let writes = try (0..<1000).map { try StoreFixture.write("user-\($0)") }
            let error = await #expect(throws: DatabaseError.self) { try await store.saveEach(writes) }
            #expect(error?.resultCode == .SQLITE_FULL)
            #expect(try store.state(of: StoreFixture.id("ada"))?.version == 1)
            #expect(try store.state(of: StoreFixture.id("user-0")) == nil)
            try store.checkUsable()
            #expect(store.refusesWrites)
            try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 4294967294") }
            // Nobody need write for it to be noticed.
            await store.retryWriting()
            #expect(!store.refusesWrites)
            _ = try await store.saveEach(writes)
            #expect(try store.state(of: StoreFixture.id("user-999"))?.version == 1)
            try store.close()
        }
    }

    @Test func `a file that was not closed cleanly is read at once, and changed when it is checked`() async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                _ = try await store.save(StoreFixture.write("ada"))
                try store.close()
            }
            try fixture.markUnclean()
            let store = try fixture.serving(checksAtOnce: false)
            #expect(try store.state(of: StoreFixture.id("ada"))?.version == 1)
            try store.checkUsable()
            #expect(store.refusesWrites)
            await #expect(throws: WritesUnavailableError.unverified(path: fixture.path)) {
                try await store.save(StoreFixture.write("bob"))
            }
            #expect(fixture.lock.hasPrefix("starting"))
            try await store.verify()
            #expect(fixture.lock.hasPrefix("serving"))
            await store.retryWriting()
            #expect(!store.refusesWrites)
            #expect(try await store.save(StoreFixture.write("bob")).state.version == 1)
            try store.close()
        }
    }

    @Test func `a server that stops before its check is done leaves it to the next`() async throws {
        try await StoreFixture.with { fixture in
            try fixture.serving().close()
            try fixture.markUnclean()
            do { try fixture.serving(checksAtOnce: false).close() }
            #expect(!fixture.lock.isEmpty)
            let store = try fixture.serving(checksAtOnce: false)
            #expect(store.refusal != nil)
        }
    }

    @Test(arguments: [true, false])
    func `damage that the check finds keeps changes refused, and reads go on`(_ checksAtOnce: Bool) async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                _ = try await store.saveEach((0..<1000).map { try StoreFixture.write("user-\($0)") })
                try store.close()
            }
            try fixture.damagePage()
            try fixture.markUnclean()
            let store = try fixture.serving(checksAtOnce: checksAtOnce)
            try await store.verify()
            let refusal = try #require(store.refusal)
            #expect(refusal.isDamage)
            #expect(refusal.description.contains("restore the file from a backup"))
            await #expect(throws: refusal) { try await store.save(StoreFixture.write("bob")) }
            #expect(throws: refusal) { try store.checkUsable() }
            #expect(try store.state(of: StoreFixture.id("user-0"))?.version == 1)
            // A second look does not find what the first has not.
            try await store.verify()
            #expect(store.refusal == refusal)
            try store.close()
            #expect(!fixture.lock.isEmpty)
        }
    }

    @Test func `a command checks the file itself before its first change`() async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                _ = try await store.saveEach((0..<1000).map { try StoreFixture.write("user-\($0)") })
                try store.close()
            }
            try fixture.markUnclean()
            do {
                let store = try fixture.offline()
                #expect(store.refusal == .unverified(path: fixture.path))
                #expect(try await store.save(StoreFixture.write("ada")).state.version == 1)
                try store.close()
            }
            try fixture.damagePage()
            let store = try fixture.offline()
            let error = await #expect(throws: WritesUnavailableError.self) {
                try await store.save(StoreFixture.write("ada"))
            }
            #expect(error?.isDamage == true)
        }
    }

    @Test func `a command changes nothing while the server accepts no changes`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.serving()
            do {
                let command = try fixture.offline()
                #expect(try await command.save(StoreFixture.write("ada")).state.version == 1)
                try command.close()
            }
            await #expect(throws: (any Error).self) {
                try await server.write { _ in throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC) }
            }
            let command = try fixture.offline()
            await #expect(throws: WritesUnavailableError.refusedByServer(path: fixture.path)) {
                try await command.save(StoreFixture.write("ada"))
            }
            #expect(try command.state(of: StoreFixture.id("ada"))?.version == 1)
        }
    }

    @Test func `a file has one server, and the next one when that ends`() async throws {
        try await StoreFixture.with { fixture in
            let first = try fixture.serving()
            let error = #expect(throws: StoreOpenError.self) { try fixture.serving() }
            #expect(error?.description.contains("process \(getpid())") == true)
            #expect(error?.description.contains(fixture.path) == true)
            _ = try await first.save(StoreFixture.write("ada"))
            try first.close()
        }
    }

    @Test func `a symbolic link leads to the same lock`() async throws {
        try await StoreFixture.with { fixture in
            let first = try fixture.serving()
            let link = fixture.path + "-link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.path)
            #expect(throws: StoreOpenError.self) { try StoreFixture(path: link).serving() }
            try first.close()
        }
    }

    @Test(arguments: [true, false])
    func `a file that is removed or replaced while in use accepts no changes`(_ isReplaced: Bool) async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            _ = try await store.save(StoreFixture.write("ada"))
            try await store.pollExternalChanges()
            #expect(store.refusal == nil)
            try FileManager.default.moveItem(atPath: fixture.path, toPath: fixture.path + "-moved")
            if isReplaced { try Data().write(to: URL(fileURLWithPath: fixture.path)) }
            try await store.pollExternalChanges()
            await #expect(throws: WritesUnavailableError.replaced(path: fixture.path)) {
                try await store.save(StoreFixture.write("ada"))
            }
            #expect(try store.state(of: StoreFixture.id("ada"))?.version == 1)
        }
    }
}
