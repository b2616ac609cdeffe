import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage
import Synchronization
import Testing
import WaymarkTestSupport

/// The counts between a use of a link and the store.
@Suite struct UnwrittenCountTests {
    /// A store that refuses slices until it is told otherwise.
    private final class Gate: LinkCountStore {
        struct Refusal: Error {}

        let isOpen = Mutex(false)
        let stored = InMemoryLinkCountStore()

        func add(_ slice: CountSlice) async throws {
            // Mostly it is the answer that is lost.
            try await stored.add(slice)
            guard isOpen.withLock(\.self) else { throw Refusal() }
        }

        func counts(_ question: CountQuery) async throws -> [CountRow] { try await stored.counts(question) }

        func dropCounts(before day: CountedDay) async throws -> Bool { try await stored.dropCounts(before: day) }
    }

    private static let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)

    private let catalog: RouteCatalog

    init() throws {
        catalog = try SampleApp.catalog()
    }

    private func visit(_ shortLink: ShortLinkCountKey? = nil) -> LinkEvent {
        LinkEvent(PageVisit(.page, of: nil, plan: nil), shortLink: shortLink, catalog: catalog, at: Self.time)
    }

    private func rows(_ store: some LinkCountStore, _ headings: CountQuery.Headings) async throws -> [String] {
        try await store.counts(CountQuery(headings, limit: 100_000))
            .map { "\($0.heading.map(\.string)) \($0.counts[.page])" }
    }

    private var today: CountedDay { CountedDay(of: Self.time) }

    @Test func `a store that is away loses nothing, and a slice whose answer was lost counts once`() async throws {
        let (counts, gate) = (LinkCounts(), Gate())
        var writer = LinkCountWriter(counts, to: gate)
        for _ in 0..<3 {
            counts.observe(visit())
            await #expect(throws: Gate.Refusal.self) { try await writer.write() }
        }
        gate.isOpen.withLock { $0 = true }
        try await writer.write()
        #expect(try await rows(gate, .days(today...today, by: [.day])) == [#"["\#(today.text)"] 3"#])
        try await writer.write()
        #expect(try await rows(gate, .days(today...today, by: [.label])) == [#"[""] 3"#])
    }

    @Test func `a short link counts by label and code, and one about a user by label alone`() async throws {
        let (counts, store) = (LinkCounts(), InMemoryLinkCountStore())
        var writer = LinkCountWriter(counts, to: store)
        counts.observe(visit(ShortLinkCountKey(code: "summer", label: "mail", isAboutUser: false)))
        counts.observe(visit(ShortLinkCountKey(code: "ada", label: "mail", isAboutUser: true)))
        counts.observe(visit(ShortLinkCountKey(code: "bare", label: nil, isAboutUser: false)))
        try await writer.write()
        #expect(try await rows(store, .codes) == [#"["bare"] 1"#, #"["summer"] 1"#])
        #expect(try await rows(store, .days(today...today, by: [.label])) == [#"[""] 1"#, #"["mail"] 2"#])
    }

    @Test func `a flood of labels and codes takes bounded memory, and is counted by day`() async throws {
        let (counts, store) = (LinkCounts(maximumHeadingCount: 100), InMemoryLinkCountStore())
        var writer = LinkCountWriter(counts, to: store)
        for number in 0..<1000 {
            let mark = ShortLinkCountKey(code: "c\(number)", label: "l\(number)", isAboutUser: false)
            counts.observe(visit(mark))
        }
        try await writer.write()
        #expect(try await rows(store, .days(today...today, by: [.day])) == [#"["\#(today.text)"] 1000"#])
        #expect(try await rows(store, .days(today...today, by: [.label])).count == 51)
        #expect(try await rows(store, .codes).count == 50)
        // The next has room again.
        counts.observe(visit(ShortLinkCountKey(code: "new", label: "new", isAboutUser: false)))
        try await writer.write()
        #expect(try await rows(store, .codes).count == 51)
    }

    @Test func `slices are small, and hold each count once`() {
        let counts = LinkCounts()
        for number in 0..<1000 {
            counts.observe(visit(ShortLinkCountKey(code: "c\(number)", label: nil, isAboutUser: false)))
        }
        let slices = counts.take()
        #expect(slices.count == 8 && slices.allSatisfy { $0.additions.count <= CountSlice.maximumSize })
        #expect(Set(slices.map(\.id)).count == 8)
        #expect(Set(slices.flatMap(\.additions)).count == 1001)
        #expect(counts.take().isEmpty)
    }

    @Test func `days are read and written, and nothing that is none`() {
        for text in ["1970-01-01", "2026-11-23", "2028-02-29", "0000-01-01", "9999-12-31"] {
            #expect(CountedDay(text)?.text == text)
        }
        for text in ["2026-02-29", "2026-1-01", "2026-11-23T00:00:00Z", "", "20261123xx", "+026-11-23"] {
            #expect(CountedDay(text) == nil, "\(text)")
        }
        #expect(CountedDay(of: Timestamp(millisecondsSinceEpoch: -1)).text == "1969-12-31")
    }
}
