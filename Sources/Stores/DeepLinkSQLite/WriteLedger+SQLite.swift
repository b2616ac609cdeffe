import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

extension WriteLedger {
    /// Reads the rows that a change needs.
    init(for needs: StoreNeeds, _ database: Database) throws {
        self.init()
        for request in needs.requests {
            if let kept = try StoredResponseRecord.find(request, in: database) {
                answers.read(kept.answer, to: kept.request)
            }
        }
        // A user that is listed twice is read twice, with one result, because nothing is written yet.
        let ids = needs.users
        users.reserveCapacity(ids.count)
        for id in ids {
            var user = try StoredUser(of: id, database).record(of: id, database)
            if !user.isStored, let kept = try UserTimestampsRecord.find(id, in: database) { user.read(kept: kept) }
            guard user.hasNextVersions else { throw DamagedRowError(table: UserStateRecord.table) }
            users[id] = user
        }
        try readShortLinks(needs.links, database)
        for id in needs.namedUsers + needs.namedLinks.compactMap(shortLinks.user) {
            if let name = try AuditNameRecord.name(of: id, database) { auditNames.read(name, of: id) }
        }
        if let id = needs.continuation { try read(id, binding: needs.binding, in: database) }
        if let id = needs.revokedToken, let token = try ServiceTokenRecord.find(id, in: database) {
            tokens.read(id, revoked: token.revoked)
        }
    }

    /// Reads a continuation.
    ///
    /// If the change binds one, also reads the continuations that have ended by then.
    private mutating func read(
        _ id: ContinuationID,
        binding: (end: Timestamp, time: Timestamp)?,
        in database: Database
    ) throws {
        let redemption = try ContinuationRecord.find(id, in: database)
        if let redemption { redemptions.read(redemption, of: id) }
        guard let (end, time) = binding else { return }
        if redemption == nil { try ContinuationRecord.requireAbsence(of: id, until: end, database) }
        for ended in try ContinuationRecord.ended(before: time, database) {
            redemptions.readEnded(ended.id, end: ended.end)
        }
        let until = try StoredNumber.forgottenUntil.value(database)
        redemptions.readForgottenUntil(Timestamp(millisecondsSinceEpoch: until))
    }

    /// Writes the result of a change: deletions first, then new rows.
    ///
    /// Users are written in the order in which the change lists them. Rows in the order of their keys fill their pages.
    func write(
        _ needs: StoreNeeds,
        historyLimits: UserHistoryLimits,
        maximumAnswerCount: Int,
        in database: Database
    ) throws {
        let ids = needs.users
        // Usually each user is listed once, so duplicates need not be remembered.
        let isEachNamedOnce = ids.count == users.count
        var written: Set<UserID> = []
        for id in ids where isEachNamedOnce || written.insert(id).inserted {
            guard let user = users[id], user.hasRows else { continue }
            if user.isErased { try erase(id, user: user, in: database) }
            try write(id, user: user, limits: historyLimits, in: database)
        }
        for kept in answers.new {
            try StoredResponseRecord.keep(kept.answer, to: kept.request, atMost: maximumAnswerCount, in: database)
        }
        try writeRedemptions(database)
        try writeTokens(database)
        try writeShortLinks(needs.links, in: database)
        let names = AuditNameRecord.table
        for id in auditNames.forgotten { try names.delete(where: "user_id", is: id.text, in: database) }
        for (id, name) in auditNames.new { try names.insert([id.text, name.text], in: database) }
    }

    /// Writes the history of a user, then the state.
    ///
    /// Without the history row, a deletion would count as a manual one (`Schema`).
    private func write(
        _ id: UserID,
        user: UserRecord,
        limits: UserHistoryLimits,
        in database: Database
    ) throws {
        // This precedes the new rows, which the ledger accounts for.
        let end = try user.prunedChangeCount(by: limits)
            .flatMap { count in
                let oldest = try UserHistoryRecord.changes(of: id, after: 0, limit: count, database)
                return user.end(oldest: oldest, limits: limits)
            }
        for change in user.changes { try UserHistoryRecord(change, of: id).insert(database) }
        if let end { try UserHistoryRecord.drop(upTo: end, of: id, database) }
        if user.hasNewTimestamps {
            if let kept = user.kept {
                try UserTimestampsRecord.keep(kept, of: id, limits: limits, in: database)
            } else {
                try UserTimestampsRecord.table.delete(where: "user_id", is: id.text, in: database)
            }
        }
        guard user.hasNewState else { return }
        if let state = user.state(of: id) {
            try UserStateRecord(state).replace(database)
        } else {
            try UserStateRecord.delete(id, in: database)
        }
    }

    /// Deletes all data of a user, except for a digest with the last version.
    ///
    /// Deleted data is overwritten (`secure_delete`, `StoreOpening`). The write-ahead log contains it until it is
    /// truncated.
    private func erase(_ id: UserID, user: UserRecord, in database: Database) throws {
        let digest = try ErasedUserRecord.digest(of: id, database)
        try StoredResponseRecord.table.delete(where: "user_id", is: id.text, in: database)
        try ContinuationRecord.unbind(id, named: digest, in: database)
        guard user.isChanged, let last = user.last else { return }
        // This precedes the state, whose deletion would otherwise count as a manual one.
        try UserHistoryRecord.erase(id, in: database)
        try ErasedUserRecord.note(last, ofDigest: digest, in: database)
        // Without a history row, the number of erasures informs other processes.
        try StoredNumber.erasures.set(StoredNumber.erasures.value(database) + 1, in: database)
    }

    private func writeRedemptions(_ database: Database) throws {
        if !redemptions.forgotten.isEmpty {
            for id in redemptions.forgotten {
                try ContinuationRecord.table.delete(where: "id", is: id.text, in: database)
            }
            try StoredNumber.forgottenUntil.set(redemptions.forgottenUntil.millisecondsSinceEpoch, in: database)
        }
        for (id, redemption) in redemptions.entries where redemption.isChanged || !redemption.isStored {
            try ContinuationRecord.replace(id, redemption, of: redemption.user, in: database)
        }
    }

    private func writeTokens(_ database: Database) throws {
        for token in tokens.new { try ServiceTokenRecord.insert(token, in: database) }
        for (id, time) in tokens.revocations { try ServiceTokenRecord.revoke(id, at: time, in: database) }
    }
}

extension WriteLedger {
    /// Reads the short links that a change needs.
    mutating func readShortLinks(_ needs: RequiredShortLinkRows, _ database: Database) throws {
        guard !needs.isEmpty else { return }
        let links = ShortLinkReader(texts: InternedTexts(), database: database)
        for code in needs.codes {
            if let link = try links.find(code) {
                try read(link)
            } else {
                for link in try links.others(inCaseOf: code) { try read(link) }
                if try ErasedShortLinkRecord.contains(code, database) { shortLinks.readErased(code) }
            }
        }
        for name in needs.names {
            for row in try links.rows("WHERE name = ?", [name.text]) { try read(row.link) }
        }
        try readLabels(needs, links.texts, database)
        for quota in needs.quotas {
            let statement = try database.cachedStatement(
                sql: "SELECT count(*) FROM short_link WHERE about = ? AND created_at >= ?"
            )
            let arguments: StatementArguments = [quota.user.text, quota.since.millisecondsSinceEpoch]
            shortLinks.readCount(try Int.fetchOne(statement, arguments: arguments) ?? 0, of: quota.user)
        }
        for user in needs.erasures {
            for row in try links.rows("WHERE about = ?", [user.text]) { try read(row.link) }
        }
    }

    private mutating func read(_ link: ShortLink) throws {
        guard link.version < 1 << 62 else { throw ShortLinkRow.damage }
        shortLinks.read(link)
    }

    private mutating func readLabels(_ needs: RequiredShortLinkRows, _ texts: InternedTexts, _ database: Database)
        throws
    {
        var hasUnknown = false
        for label in needs.labels {
            if try texts.number(of: label.text, kind: .label, database) != nil {
                shortLinks.read(label)
            } else {
                hasUnknown = true
            }
        }
        guard hasUnknown else { return }
        shortLinks.labelCount = try InternedTexts.labelCount(sweepingFrom: ShortLinkLabel.maximumCount, database)
    }

    /// Writes the changed short links: deletions first, then rows in the order in which the change lists them.
    func writeShortLinks(_ needs: RequiredShortLinkRows, in database: Database) throws {
        let changed = shortLinks.replaced.count + shortLinks.erased.count
        if changed > 0 {
            // Other processes keep their cached users.
            let number = StoredNumber.shortLinkChanges
            try number.set(try number.value(database) + Int64(changed), in: database)
        }
        for code in shortLinks.uncounted {
            try database.cachedStatement(sql: "DELETE FROM code_count WHERE code = ?").execute(arguments: [code.text])
        }
        for record in shortLinks.erased {
            try ErasedShortLinkRecord.note(record.code, in: database)
            guard record.stored != nil else { continue }
            try ShortLinkHistoryRecord.erase(record.code, in: database)
            try ShortLinkRow.delete(record.code, in: database)
        }
        guard !needs.codes.isEmpty else { return }
        let texts = InternedTexts()
        var written: Set<ShortLinkCode> = []
        for code in needs.codes where written.insert(code).inserted {
            guard let record = shortLinks.records[code], record.isChanged, let link = record.link else { continue }
            try ShortLinkRow.write(link, isNew: record.stored == nil, texts: texts, in: database)
            for change in record.newHistory {
                try ShortLinkHistoryRecord.insert(change, of: code, texts: texts, in: database)
            }
        }
    }
}
