package import DeepLinkStoring
package import Logging

extension PostgresStore: OpenStore {
    /// Replicas need no turns: the server serves all at once.
    package var isServed: Bool { false }

    package func report() throws -> StoreReport {
        StoreReport(
            properties: [
                "database": "\(location.description)", "server": "PostgreSQL \(serverVersion)",
                "changes": feed.hasSnapshots ? "by snapshots" : "by age",
            ],
            warnings: []
        )
    }

    package var measures: StoreMeasures { StoreMeasures(changeFeedAge: levels?.age) }

    package func maintain(_ logger: Logger) async { await PostgresMaintenance(self, logger: logger).run() }

    package func explain(_ error: any Error) -> any Error { error }

    package func continuationKey() async throws -> [UInt8]? {
        let draft = Secrets.draw()
        return try await pages.run { connection, deadline throws(PostgresError) in
            try DatabaseOpening.secret("continuations", draft, connection, until: deadline)
        }
    }
}
