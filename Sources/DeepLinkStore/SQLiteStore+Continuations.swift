package import DeepLinkCore

extension SQLiteStore: ContinuationStore {
    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding {
        try await write { database in
            try ContinuationRecord.sweep(before: time, database)
            // Once one of its age was forgotten it may have been, too, and the clock may have gone back since.
            guard try end.millisecondsSinceEpoch > StoredNumber.forgottenUntil.value(database) else { return .expired }
            guard let record = try ContinuationRecord.find(id, database) else {
                try ContinuationRecord.requireAbsence(of: id, until: end, database)
                try ContinuationRecord(id: id, user: user, end: end).replace(database)
                return .open
            }
            guard record.user == user else { return record.isSpent ? .spent : .otherUser }
            return record.isSpent ? .granted : .open
        }
    }

    package func spend(_ id: ContinuationID) async throws -> Bool {
        try await write { database in
            guard let record = try ContinuationRecord.find(id, database), !record.isSpent else { return false }
            try ContinuationRecord(id: id, user: record.user, end: record.end, isSpent: true).replace(database)
            return true
        }
    }
}
