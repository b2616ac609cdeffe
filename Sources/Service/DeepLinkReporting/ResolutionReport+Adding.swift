import DeepLinkCore
package import DeepLinkFormats

extension ResolutionReport {
    /// The error of an unreadable report.
    package struct Unreadable: Error {}

    /// Reads the body of `GET /v1/report`.
    package init(_ json: JSONValue) throws(Unreadable) {
        guard case .object(let members) = json, let since = members.text("since").flatMap({ Timestamp(rfc3339: $0) }),
            let total = members["total"], let lastHour = members["lastHour"],
            case .object(let unmatched)? = members["unmatched"]
        else { throw Unreadable() }
        self.since = since
        self.total = try Counts(total)
        self.lastHour = try Counts(lastHour)
        hours = members.objects("hours")
            .compactMap { hour in
                guard let start = hour.text("hour").flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
                let counts = SIMD4(hour.count("resolved"), hour.count("gated"), hour.count("failed"), 0)
                return Hour(start: start, counts: counts)
            }
        self.unmatched = unmatched.entries
        unmatchedTotal = unmatched.count("total")
        if case .object(let log)? = members["log"] { droppedCount = log.count("dropped") }
        pages = Pages(members["pages"])
    }

    /// Adds the report of another server.
    ///
    /// Each server reports its most frequent unmatched links, so a sum over several may be too low by the counts that a
    /// server omitted.
    package mutating func add(_ other: ResolutionReport) {
        since = min(since, other.since)
        total.add(other.total)
        lastHour.add(other.lastHour)
        for hour in other.hours {
            if let place = hours.firstIndex(where: { $0.start == hour.start }) {
                hours[place].counts &+= hour.counts
            } else {
                hours.append(hour)
            }
        }
        hours.sort { $0.start < $1.start }
        unmatched = Self.merged(unmatched, other.unmatched)
        unmatchedTotal += other.unmatchedTotal
        if let dropped = other.droppedCount { droppedCount = (droppedCount ?? 0) + dropped }
        guard let others = other.pages else { return }
        if pages == nil { pages = others } else { pages?.add(others) }
    }

    /// Returns the most frequent links of two lists.
    static func merged(_ one: [FrequentTexts.Entry], _ other: [FrequentTexts.Entry]) -> [FrequentTexts.Entry] {
        var sums: [ByteText: (count: Int, error: Int)] = [:]
        for entry in one + other {
            let former = sums[entry.text] ?? (0, 0)
            sums[entry.text] = (former.count + entry.count, former.error + entry.error)
        }
        return FrequentTexts.Entry.top(
            unmatchedCount,
            of: sums.map { FrequentTexts.Entry(text: $0, count: $1.count, error: $1.error) }
        )
    }
}

extension ResolutionReport.Counts {
    fileprivate init(_ json: JSONValue) throws(ResolutionReport.Unreadable) {
        guard case .object(let members) = json else { throw ResolutionReport.Unreadable() }
        for route in members.objects("routes") {
            var counts = ResolutionReport.RouteCounts(resolved: route.count("resolved"))
            if case .object(let gated)? = route["gated"] {
                for level in gated.names { counts.gated[level] = gated.count(level.string) }
            }
            routes[route.routeKey] = counts
        }
        for gate in members.objects("gates") {
            let grant = gate.text("grant")
            guard let name = grant ?? gate.text("level") else { continue }
            let place = place(of: name, givesGrant: grant != nil)
            gates[place].reached = gate.count("reached")
            gates[place].passed = gate.count("passed")
        }
        if case .object(let problems)? = members["problems"] {
            for name in problems.names { self.problems[name] = problems.count(name.string) }
        }
    }

    fileprivate mutating func add(_ other: ResolutionReport.Counts) {
        routes.merge(other.routes) { one, other in
            ResolutionReport.RouteCounts(
                resolved: one.resolved + other.resolved,
                gated: one.gated.merging(other.gated, uniquingKeysWith: +)
            )
        }
        problems.merge(other.problems, uniquingKeysWith: +)
        for gate in other.gates {
            let place = place(of: gate.name.string, givesGrant: gate.givesGrant)
            gates[place].reached += gate.reached
            gates[place].passed += gate.passed
        }
    }
}

extension JSONObject {
    /// Returns the text of a member, or `nil` for any other value.
    func text(_ name: String) -> String? {
        if case .string(let text)? = self[name.bytewise] { text } else { nil }
    }

    /// Returns the number of a member, or 0 for any other value.
    func count(_ name: String) -> Int {
        if case .integer(let number)? = self[name.bytewise] { Int(number) } else { 0 }
    }

    /// The route of an item of `routes`.
    var routeKey: ResolutionReport.RouteKey {
        ResolutionReport.RouteKey(
            catalogVersion: (text("catalogVersion") ?? "").bytewise,
            route: (text("route") ?? "").bytewise
        )
    }

    /// The unmatched links, in the member `unmatched`.
    var entries: [FrequentTexts.Entry] {
        objects("links")
            .map { entry in
                FrequentTexts.Entry(
                    text: (entry.text("link") ?? "").bytewise,
                    count: entry.count("count"),
                    error: entry.count("error")
                )
            }
    }

    /// Returns the objects of a list.
    func objects(_ name: String) -> [JSONObject] {
        guard case .array(let items)? = self[name.bytewise] else { return [] }
        return items.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
}
