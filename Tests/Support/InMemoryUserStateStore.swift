package import DeepLinkCore
package import DeepLinkStorage
import Synchronization

/// A store of user states, continuations and short links in memory until the process ends, for tests: one ledger that
/// is never written.
package final class InMemoryUserStateStore: UserStateStore, ContinuationStore, AuditNameStore {
    private let ledger = Mutex(WriteLedger())

    private let limits: UserHistoryLimits

    /// The numbers of short links, in the order in which they were made.
    private let numbers = Mutex<[ShortLinkCode: Int64]>([:])

    /// The results of checking short links.
    let checks = Mutex<[ShortLinkShape: ShortLinkCheckResult]>([:])

    /// The source of the codes that the store draws.
    package let codeGenerator: ShortLinkCodeGenerator

    /// Creates an empty store.
    package init(
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        codeGenerator: ShortLinkCodeGenerator = .system
    ) {
        limits = historyLimits
        self.codeGenerator = codeGenerator
    }

    /// Runs a body with the ledger.
    func withLedger<Result>(_ body: (WriteLedger) -> Result) -> Result { ledger.withLock { body($0) } }

    /// The short links with their numbers, in the order of these.
    var numberedLinks: [(number: Int64, link: ShortLink)] {
        ledger.withLock { ledger in
            let numbers = numbers.withLock(\.self)
            return ledger.shortLinks.records.values
                .compactMap { record in
                    guard let link = record.link, let number = numbers[link.code] else { return nil }
                    return (number, link)
                }
                .sorted { $0.number < $1.number }
        }
    }

    /// Reads the facts that short links' writes need beside the links, and numbers those that are new.
    private func number<Outcome>(
        _ needs: RequiredShortLinkRows,
        in ledger: inout WriteLedger,
        _ apply: (inout WriteLedger) -> Outcome
    ) -> Outcome {
        let links = needs.isEmpty ? [] : ledger.shortLinks.records.values.compactMap(\.link)
        for quota in needs.quotas {
            let made = links.count { $0.contents.about == quota.user && $0.createdAt >= quota.since }
            ledger.shortLinks.readCount(made, of: quota.user)
        }
        ledger.shortLinks.labelCount = Set(links.compactMap(\.contents.label)).count
        let outcome = apply(&ledger)
        numbers.withLock { numbers in
            for code in needs.codes where ledger.shortLinks.records[code] != nil && numbers[code] == nil {
                numbers[code] = Int64(numbers.count + 1)
            }
        }
        return outcome
    }

    package func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome {
        ledger.withLock { ledger in
            if change.needs.binding != nil { ledger.redemptions.offerAll() }
            let outcome = number(change.needs.links, in: &ledger) { $0.apply(change) }
            for id in change.needs.users { ledger.users[id]?.prune(limits) }
            return outcome
        }
    }

    package func state(of id: UserID) throws -> UserState? {
        ledger.withLock { $0.users[id]?.state(of: id) }
    }

    package func access(of id: UserID) throws -> UserAccess? { try state(of: id)?.access }

    package func access(of id: UserID, atLeast version: Int) throws -> Answer<AccessLookupResult> {
        .ready(lookup(of: id, atLeast: version))
    }

    /// Returns what a store finds of a user.
    package func lookup(of id: UserID, atLeast version: Int) -> AccessLookupResult {
        ledger.withLock { ledger in
            let user = ledger.users[id]
            return AccessLookupResult(user?.access, version: user?.last?.version ?? 0, wanted: version)
        }
    }

    package func states(after id: UserID?, limit: Int) throws -> [UserState] {
        let all = ledger.withLock { $0.users.compactMap { id, user in user.state(of: id) } }
        return Array(
            all.sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
                .drop { state in id.map { !$0.text.utf8.lexicographicallyPrecedes(state.id.text.utf8) } ?? false }
                .prefix(limit)
        )
    }

    package func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
        let changes = ledger.withLock { $0.users[id]?.changes ?? [] }
        return changes.drop { $0.version <= version }.prefix(limit).map(\.self)
    }

    package func answer(to request: KeyedRequest) throws -> StoredResponse? {
        ledger.withLock { $0.answers.answer(to: request) }
    }

    package func auditName(of id: UserID) throws -> AuditName? { ledger.withLock { $0.auditNames.existing(of: id) } }

    package func users(named names: [AuditName]) throws -> [AuditName: UserID] {
        ledger.withLock { $0.auditNames.users(named: Set(names)) }
    }

    package func checkUsable() throws {}
}

extension UserStateStore {
    /// Whether changes are refused: never.
    package var refusesWrites: Bool { false }

    /// Counts the users by reading every state.
    package func accessCounts(at time: Timestamp) async throws -> AccessCounts {
        var counts = AccessCounts()
        var last: UserID?
        while true {
            let page = try await states(after: last, limit: BatchLimits.atomicSize)
            for state in page {
                counts.add(
                    1,
                    having: state.level,
                    hasEnded: state.level.hasEnded(at: time),
                    grants: state.access.grants(at: time).map(\.name)
                )
            }
            guard page.count == BatchLimits.atomicSize else { return counts }
            last = page.last?.id
            await Task.yield()
        }
    }
}
