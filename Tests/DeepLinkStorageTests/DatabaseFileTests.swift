import DeepLinkCore
import DeepLinkStorage
import Foundation
import Logging
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of how a store treats the file, and what lies beside it.
@Suite struct DatabaseFileTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: ["-wal", "-shm"])
    func `a log that is removed accepts no changes, and loses none`(_ suffix: String) async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            _ = try await store.save(StoreFixture.write("ada"))
            try await store.pollExternalChanges()
            #expect(store.refusal == nil)
            try FileManager.default.removeItem(atPath: fixture.path + suffix)
            try await store.pollExternalChanges()
            await #expect(throws: WritesUnavailableError.logRemoved(path: fixture.path)) {
                try await store.save(StoreFixture.write("bob"))
            }
            #expect(throws: WritesUnavailableError.self) { try store.checkUsable() }
            #expect(try store.state(of: StoreFixture.id("ada"))?.version == 1)
            // As after kill -9: a copy of what lies there now has what was acknowledged.
            guard suffix == "-wal" else { return }
            let copy = StoreFixture(path: fixture.path + "-copy")
            try FileManager.default.copyItem(atPath: fixture.path, toPath: copy.path)
            let again = try copy.offline()
            #expect(try again.state(of: StoreFixture.id("ada"))?.version == 1)
            try again.close()
        }
    }

    @Test func `a log that is cut, and commands that come and go, are no removal`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            for round in 0..<3 {
                _ = try await store.save(StoreFixture.write("ada", until: Int64(round)))
                #expect(try await store.limitLog(from: 1))
                let command = try fixture.offline()
                _ = try await command.save(StoreFixture.write("bob", until: Int64(round)))
                try command.close()
                try await store.pollExternalChanges()
            }
            #expect(store.refusal == nil)
            try store.close()
        }
    }

    @Test func `a second name of the file makes no second server`() async throws {
        try await StoreFixture.with { fixture in
            try fixture.serving().close()
            let link = StoreFixture(path: fixture.path + "-link")
            try FileManager.default.linkItem(atPath: fixture.path, toPath: link.path)
            for path in [fixture, link] {
                let error = #expect(throws: StoreOpenError.self) { try path.serving() }
                #expect(error?.description.contains("hard links") == true)
                #expect(throws: StoreOpenError.self) { try path.offline() }
            }
            try FileManager.default.removeItem(atPath: link.path)
            try fixture.serving().close()
        }
    }

    @Test func `what is created is its owner's alone`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            _ = try await store.save(StoreFixture.write("ada"))
            for suffix in ["", "-wal", "-shm", ".lock"] {
                #expect(try mode(fixture.path + suffix) == 0o600, "\(suffix)")
            }
            #expect(!store.isOpenToOthers)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: fixture.path)
            #expect(store.isOpenToOthers)
            try store.close()
        }
    }
}
