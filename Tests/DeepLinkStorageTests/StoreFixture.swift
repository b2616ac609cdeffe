import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Foundation
import Testing
import WaymarkTestSupport

/// A database file for tests, and writes to it.
struct StoreFixture {
    let path: String

    /// Creates a folder, runs a body with the file that it may hold, and removes it.
    static func with(_ body: (StoreFixture) async throws -> Void) async throws {
        try await TemporaryFolder.with { try await body(StoreFixture(path: $0 + "/states.sqlite")) }
    }

    /// Opens the file as a server does; if it must be checked, that is left to the test or done at once.
    func serving(
        checksAtOnce: Bool = true,
        observer: (any ExternalChangeObserver)? = nil
    ) throws -> SQLiteStore {
        try SQLiteStore(
            path: path,
            use: .serving,
            observer: observer,
            immediateCheckByteCount: checksAtOnce ? 64 << 20 : 0
        )
    }

    /// Opens the file as a server does that remembers some users, for as long as the test runs without another look.
    func remembering(_ count: Int = 1000) throws -> SQLiteStore {
        try SQLiteStore(path: path, use: .serving, maximumCachedUsers: count, pollLease: .seconds(86_400))
    }

    /// Opens the file as a command does.
    func offline() throws -> SQLiteStore { try SQLiteStore(path: path) }

    /// The contents of the server's lock.
    var lock: String {
        FileManager.default.contents(atPath: path + ".lock").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Leaves the line of a server that did not end cleanly.
    func markUnclean() throws {
        try Data("serving 1\n".utf8).write(to: URL(fileURLWithPath: path + ".lock"))
    }

    /// Overwrites a page of a file of a thousand users: a leaf, not the one of the first user.
    func damagePage() throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let count = try file.seekToEnd() / 4096
        for page in (count / 2)..<count {
            try file.seek(toOffset: page * 4096)
            let bytes = try file.read(upToCount: 4096) ?? Data()
            // A leaf of a table without row ids (sqlite.org/fileformat2.html §1.6); the index of changes has no levels.
            guard bytes.first == 0x0A, bytes.range(of: Data("signedInUser".utf8)) != nil,
                bytes.range(of: Data("user-0".utf8)) == nil
            else { continue }
            try file.seek(toOffset: page * 4096)
            break
        }
        try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
        try file.close()
    }

    /// Writes the bytes of a file again, with another byte at a position, and without the files beside it.
    ///
    /// - Returns: The change, for the messages of failures.
    func rewrite(_ bytes: [UInt8], changing position: Int, to byte: UInt8) throws -> String {
        for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        var damaged = bytes
        damaged[position] = byte
        try Data(damaged).write(to: URL(fileURLWithPath: path))
        return "byte \(position) of \(bytes.count), \(bytes[position]) to \(byte)"
    }

    /// Draws a byte that differs from another one: by one bit, zero, all bits, or anything.
    static func byte(otherThan byte: UInt8, using generator: inout SeededGenerator) -> UInt8 {
        let others = [byte ^ 1 << generator.pick(Array(0..<8)), 0, 0xFF, generator.pick(Array(0...255))]
        return generator.pick(others.filter { $0 != byte })
    }

    /// The bytes of the file.
    var bytes: [UInt8] { get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) } }

    static func id(_ text: String) throws -> UserID { try #require(UserID(text)) }

    static func write(
        _ text: String,
        _ level: AuthorizationLevel = .signedInUser,
        until end: Int64? = nil,
        if precondition: UserStatePrecondition = .none,
        isAudited: Bool = false
    ) throws -> UserStateWrite {
        UserStateWrite(
            id: try id(text),
            level: try #require(
                LevelAssignment(level: level, validUntil: end.map(Timestamp.init(millisecondsSinceEpoch:)))
            ),
            precondition: precondition,
            time: Timestamp(millisecondsSinceEpoch: 1),
            author: "test",
            isAudited: isAudited
        )
    }
}

extension SQLiteStore {
    /// Reads all that is kept of a user's history, without waiting.
    func changes(of id: UserID) throws -> [UserChange] { try history(of: id, after: 0, limit: 1 << 30) }
}
