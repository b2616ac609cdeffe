import DeepLinkCore
import DeepLinkStorage
import GRDB

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
