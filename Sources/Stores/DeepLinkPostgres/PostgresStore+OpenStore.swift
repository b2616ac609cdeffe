package import DeepLinkStorage
package import Logging

extension PostgresStore: OpenStore, WriteRetrying {
    /// Always `false`.
    ///
    /// Replicas need not take turns, since the database server serves them all.
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

    package func continuationKeys() async throws -> [[UInt8]] {
        let draft = DatabaseSecrets.draw()
        return try await pages.run { connection, deadline throws(PostgresError) in
            let signing = try DatabaseOpening.secret(
                "continuations",
                draft: draft,
                connection: connection,
                until: deadline
            )
            // During a key rotation, an operator stores the other key here.
            let others = try connection.run(
                Statement("SELECT value FROM stored_secret WHERE name = 'continuations second'"),
                until: deadline
            )
            var keys = [signing]
            for row in 0..<others.count { keys.append(try others.byteString(row, column: 0)) }
            return keys
        }
    }
}
