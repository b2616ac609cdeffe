import DeepLinkCore
import Testing

@testable import DeepLinkStorage

/// Tests of the rules of a record, with a value that no store has.
@Suite struct VersionedRecordTests {
    private typealias Record = VersionedRecord<String>

    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private static func terms(
        at time: Int64,
        asOf: Int64? = nil,
        if precondition: UserStatePrecondition = .none
    ) -> ChangeTerms {
        ChangeTerms(
            precondition: precondition,
            time: Self.time(time),
            author: "test",
            asOf: asOf.map { Self.time($0) }
        )
    }

    private static func mark(_ version: Int, asOf: Int64) -> Record.Mark {
        Record.Mark(version: version, asOf: time(asOf))
    }

    private static func present(_ value: String = "a", version: Int = 3, asOf: Int64 = 10) -> Record {
        Record(.present(Revision(value: value, version: version, updatedAt: time(asOf), asOf: time(asOf))))
    }

    @Test func `the first value has the version 1, and is in the history`() throws {
        var record = Record()
        let (revision, isNew) = try record.set("a", on: Self.terms(at: 5))
        #expect(isNew)
        #expect(revision == Revision(value: "a", version: 1, updatedAt: Self.time(5), asOf: Self.time(5)))
        #expect(record.changes.map(\.version) == [1])
        #expect(record.changes[0].asOf == nil)
        #expect(record.stored == nil)
    }

    @Test func `the value that is stored moves the moment alone`() throws {
        var record = Self.present("a", version: 3, asOf: 10)
        let (revision, isNew) = try record.set("a", on: Self.terms(at: 20, asOf: 15))
        #expect(!isNew)
        #expect(revision == Revision(value: "a", version: 3, updatedAt: Self.time(10), asOf: Self.time(15)))
        #expect(record.changes.isEmpty)
        #expect(record.isChanged)
        #expect(throws: ChangeRefusal.superseded(by: revision)) {
            try record.set("b", on: Self.terms(at: 21, asOf: 14))
        }
    }

    @Test func `the precondition is compared before the order`() {
        var record = Self.present(version: 3, asOf: 10)
        let late = Self.terms(at: 20, asOf: 5, if: .version([2]))
        #expect(throws: ChangeRefusal<String>.versionMismatch(current: 3)) { try record.set("b", on: late) }
        #expect(throws: ChangeRefusal<String>.versionMismatch(current: 3)) { try record.remove(on: late) }
        #expect(throws: ChangeRefusal<String>.versionMismatch(current: 3)) { try record.erase(on: late) }
        #expect(!record.isChanged)
    }

    @Test(arguments: [
        Record.StoredState.present(Revision(value: "a", version: 7, updatedAt: time(10), asOf: time(10))),
        .deleted(mark(7, asOf: 10)), .erased(mark(7, asOf: 10)),
    ])
    private func `no version is given twice, and no older moment counts`(_ storedState: Record.StoredState) throws {
        var record = Record(storedState)
        #expect(throws: ChangeRefusal.superseded(by: record.revision)) {
            try record.set("b", on: Self.terms(at: 20, asOf: 9))
        }
        #expect(try record.set("b", on: Self.terms(at: 8)).revision.version == 8)
        // The clock has gone back; the change counts as of the last moment that is known.
        #expect(record.last == Self.mark(8, asOf: 10))
        #expect(record.changes.last?.asOf == Self.time(10))
    }

    @Test func `a deletion is a version, a second one is none`() throws {
        var record = Self.present(version: 3)
        #expect(try record.remove(on: Self.terms(at: 20)))
        #expect(try !record.remove(on: Self.terms(at: 21)))
        #expect(record.revision == nil)
        #expect(record.last == Self.mark(4, asOf: 20))
        #expect(record.changes.map(\.value) == [nil])
        #expect(try record.set("a", on: Self.terms(at: 22)).revision.version == 5)
    }

    @Test func `an erasure forgets all but the last version, and no moment before it counts`() throws {
        var record = Self.present(version: 3)
        _ = try record.set("b", on: Self.terms(at: 20))
        #expect(try record.erase(on: Self.terms(at: 30)))
        #expect(record.isErased)
        #expect(record.changes.isEmpty)
        #expect(record.last == Self.mark(4, asOf: 30))
        #expect(try !record.erase(on: Self.terms(at: 31)))
        #expect(throws: ChangeRefusal<String>.superseded(by: nil)) {
            try record.set("c", on: Self.terms(at: 40, asOf: 29))
        }
        #expect(try record.set("c", on: Self.terms(at: 40)).revision.version == 5)
    }

    @Test func `an erasure of an unknown record finds nothing`() throws {
        var record = Record()
        #expect(try !record.erase(on: Self.terms(at: 30)))
        #expect(record.isErased)
        #expect(!record.isChanged)
    }

    @Test func `a version that leaves no room is told apart`() {
        #expect(Self.present(version: 1 << 61).hasNextVersions)
        #expect(!Record(.deleted(Self.mark(.max, asOf: 1))).hasNextVersions)
    }

    @Test func `what limits drop is read as far as one change may drop it`() throws {
        let limits = UserHistoryLimits(maximumCount: 2)
        var record = Self.present(version: 6)
        #expect(record.prunedCount(by: limits) == nil)
        _ = try record.set("b", on: Self.terms(at: 20))
        #expect(record.prunedCount(by: limits) == 4)
        #expect(record.prunedCount(by: UserHistoryLimits()) == nil)
        let oldest = (1...4)
            .map { RecordChange(version: $0, value: "a", at: Self.time(1), author: "test", asOf: nil) }
        #expect(record.end(oldest: oldest, limits: limits) == 4)
        #expect(record.end(oldest: [], limits: limits) == nil)
    }
}
