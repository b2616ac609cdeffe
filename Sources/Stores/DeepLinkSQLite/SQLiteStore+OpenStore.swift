package import DeepLinkStorage
package import Logging

extension SQLiteStore: OpenStore {
    package func report() throws -> StoreReport {
        let synchronous = try synchronousMode() ?? 0
        return StoreReport(
            properties: [
                "file": "\(file.path)", "synchronous": .stringConvertible(synchronous),
                "logBytes": .stringConvertible(logByteCount),
            ],
            warnings: isOpenToOthers
                ? ["Other users of this machine may read the database; take their right away (chmod 600)."] : []
        )
    }

    package var measures: StoreMeasures {
        StoreMeasures(logByteCount: Int(logByteCount), changeFeedAge: levels?.age)
    }

    package func maintain(_ logger: Logger) async { await StoreMaintenance(self, logger: logger).run() }
}
