import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Changes the bytes of a small database of short links, one at a time, and asks for all of them.
@Suite struct ShortLinkDamageTests {
    private typealias Fixture = ShortLinkFixture

    /// The contents of the file, as the undamaged one answers them.
    private struct Contents {
        let links: [ShortLink]
        let histories: [[ShortLinkChange]]
        let labels: [ShortLinkLabel]
    }

    /// The codes of a person who was erased.
    private static let erased = ["for-ada", "Ada-Two"]

    private static func fill(_ path: String) async throws -> Contents {
        let store = try SQLiteStore(path: path, use: .serving)
        let ada = try StoreFixture.id("ada")
        for code in erased {
            _ = try await store.save(
                Fixture.write(code, kind: .imported, ShortLinkContents(target: Fixture.target(), about: ada))
            )
        }
        let kinds = ShortLinkKind.allCases
        for number in 0..<24 {
            let contents = ShortLinkContents(
                host: number % 3 == 0 ? "go.example.com" : nil,
                target: Fixture.target("\(number)", route: "route-\(number % 4)"),
                label: number % 2 == 0 ? try Fixture.label("label \(number % 5)") : nil,
                expires: number % 4 == 0 ? Fixture.time(5000) : nil,
                about: number % 6 == 0 ? try StoreFixture.id("bob") : nil,
                signature: number % 7 == 0 ? ShortLinkSignature(end: nil) : nil
            )
            let naming = number % 5 == 0 ? try Fixture.naming("name \(number)") : nil
            _ = try await store.save(
                Fixture.write("Code-\(number)", kind: kinds[number % kinds.count], naming: naming, contents)
            )
        }
        for number in stride(from: 0, to: 24, by: 4) {
            _ = try await store.save(Fixture.write("Code-\(number)", Fixture.contents(of: "changed"), at: 2000))
        }
        _ = try await store.withdraw(Fixture.removal("Code-3"))
        let erasure = UserStateRemoval(id: ada, time: Fixture.time(9000), author: "test", isErasure: true)
        #expect(try await store.remove(erasure))
        let links = try store.shortLinks(ShortLinkFilter(), after: nil, limit: 100).links
        let contents = Contents(
            links: links,
            histories: try links.map { try store.history(of: $0.code, after: 0, limit: 100) },
            labels: try store.labels()
        )
        #expect(links.count == 24)
        try store.close()
        return contents
    }

    /// Opens a damaged file and asks for all of it; counts the answers that were right, and those that were errors.
    ///
    /// A page of an index that damage has emptied can hide a row, and a list may be shorter. Nothing else may be wrong: no
    /// link leads elsewhere, and no erased code is given again unless its digest is unreadable.
    private static func examine(_ path: String, _ contents: Contents, _ place: String, _ counts: inout [Int]) async {
        guard let store = try? SQLiteStore(path: path, use: .serving) else {
            counts[1] += 1
            return
        }
        func ask<Answer>(_ question: () throws -> Answer, _ isRight: (Answer) -> Bool) {
            guard let answer = try? question() else {
                counts[1] += 1
                return
            }
            counts[0] += 1
            #expect(isRight(answer), "\(place): \(answer)")
        }
        for (link, history) in zip(contents.links, contents.histories) {
            ask({ try store.storedLink(for: link.code) }, { $0 == nil || $0 == link })
            ask({ try store.cachedLink(for: link.code)?.link }, { $0 == nil || $0 == link })
            if let name = link.naming?.name {
                ask({ try store.storedLink(named: name) }, { $0 == nil || $0 == link })
            }
            ask({ try store.history(of: link.code, after: 0, limit: 100) }, { $0.allSatisfy(history.contains) })
        }
        ask(
            { try store.shortLinks(ShortLinkFilter(), after: nil, limit: 100).links },
            { $0.allSatisfy(contents.links.contains) }
        )
        ask({ try store.labels() }, { $0.allSatisfy(contents.labels.contains) })
        _ = try? await store.saveEach([Fixture.write("new-one"), Fixture.drawn(), Fixture.write("Code-1", at: 3000)])
        _ = try? await store.withdraw(Fixture.removal("Code-2"))
        _ = try? await store.shapeCounts()
        try? await store.pollExternalChanges()
        try? store.close()
    }

    @Test func `no damaged byte ends the process, or lets a code lead elsewhere`() async throws {
        try await StoreFixture.with { fixture in
            let contents = try await Self.fill(fixture.path)
            let bytes = try fixture.bytes
            var generator = SeededGenerator(seed: 32)
            var counts = [0, 0]
            // Most zeros are in pages that have nothing yet.
            let used = bytes.indices.filter { bytes[$0] != 0 }
            let isFull = ProcessInfo.processInfo.environment["WAYMARK_TEST_FULL"] == "1"
            let positions =
                isFull ? Array(bytes.indices) : (0..<Effort.part(of: 1000)).map { _ in generator.pick(used) }
            for position in positions {
                let byte = StoreFixture.byte(otherThan: bytes[position], using: &generator)
                let place = try fixture.rewrite(bytes, changing: position, to: byte)
                await Self.examine(fixture.path, contents, place, &counts)
            }
            print("\(positions.count) damaged files with short links: \(counts[0]) right, \(counts[1]) errors")
            #expect(counts[0] > 0 && counts[1] > 0)
        }
    }

    /// Exchanges the number 0, an empty blob, and an empty text, which a checksum does not tell apart.
    ///
    /// They are types 8, 12, and 13 in the header of a row (sqlite.org/fileformat2.html, section 2.1), without a byte of
    /// their own.
    @Test func `no value of another type passes for the one that was written`() async throws {
        try await StoreFixture.with { fixture in
            let contents = try await Self.fill(fixture.path)
            let bytes = try fixture.bytes
            let types: [UInt8] = [8, 12, 13]
            var counts = [0, 0]
            for position in bytes.indices where types.contains(bytes[position]) {
                for type in types where type != bytes[position] {
                    let place = try fixture.rewrite(bytes, changing: position, to: type)
                    await Self.examine(fixture.path, contents, place, &counts)
                }
            }
            #expect(counts[0] > 0 && counts[1] > 0)
        }
    }

    @Test(
        arguments: [
            "UPDATE short_link SET checksum = checksum + 1 WHERE code = 'Code-1'",
            "UPDATE short_link_text SET text = text || 'x' WHERE kind = 0",
            "UPDATE short_link_text SET text = 'other' WHERE kind = 2 AND text = 'label 0'",
            "UPDATE short_link_history SET target = 'https://example.com/other' WHERE code = 'Code-3' AND version = 1",
            "UPDATE erased_short_link SET checksum = checksum + 1",
        ]
    )
    func `a backup of a file with damage among its short links is none`(_ statement: String) async throws {
        try await StoreFixture.with { fixture in
            _ = try await Self.fill(fixture.path)
            _ = try DatabaseBackup(of: fixture.path, to: fixture.path + "-sound")
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.write { try $0.execute(sql: "DROP TRIGGER short_link_by_hand; " + statement) }
            try queue.close()
            let error = #expect(throws: StoreOpenError.self) {
                try DatabaseBackup(of: fixture.path, to: fixture.path + "-damaged")
            }
            #expect(error?.isDamage == true)
        }
    }
}
