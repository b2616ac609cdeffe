import DeepLinkCore
package import DeepLinkStorage
import GRDB

extension SQLiteStore: LedgerStore, ServiceTokenStore, AuditNameStore {
    package func make(_ change: StoreChange) async throws -> StoreChangeOutcome {
        // This includes errors, after which it is unknown what is on disk.
        defer { links?.forget(change) }
        return try await write(
            { [historyLimits, maximumAnswerCount, order] database in
                var ledger = try WriteLedger(for: change, database)
                let outcome = ledger.apply(change)
                order.note(ledger.irregularities)
                try ledger.write(
                    change,
                    historyLimits: historyLimits,
                    maximumAnswerCount: maximumAnswerCount,
                    in: database
                )
                return (outcome, ledger)
            },
            size: change.size,
            levels: \.1.levels
        )
        .0
    }

    package func answer(to request: RepeatableRequest) throws -> KeptAnswer? {
        try read { try KeptAnswerRecord.find(request, in: $0)?.answer }
    }

    package func serviceTokens() throws -> [ServiceToken] {
        try read(ServiceTokenRecord.all)
    }

    package func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws {
        try await write(
            { database in
                for (id, day) in days { try ServiceTokenRecord.noteUse(of: id, on: day, in: database) }
            },
            size: days.count
        )
    }
}
