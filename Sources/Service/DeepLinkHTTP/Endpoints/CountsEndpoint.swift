import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoint of the counts of link uses, added up over all servers: `GET /v1/counts`, as JSON or as comma-separated
/// values.
struct CountsEndpoint {
    /// The number of days in the counts if `since` is absent.
    private static let dayCount = 30

    private static let codes = "code"

    /// The stored counts, or `nil` for none.
    let store: (any LinkCountStore)?

    let now: @Sendable () -> Timestamp

    var endpoint: Endpoint {
        Endpoint(
            .get,
            "/v1/counts",
            access: .readingCounts,
            query: ["since", "until", "by", "code", "after", "limit"],
            ignoresAccept: true,
            handler: .later(respond)
        )
    }

    private func respond(to call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        let type = try Self.type(wantedBy: call.head.fields.accept)
        guard let store else { throw Problem(.notFound, detail: "This server stores no counts.") }
        let query = call.query
        let headings = try headings(query)
        let codes = try query.text("code").map { text throws(Problem) in try Self.namedCodes(text, of: headings) }
        let after = try query.text("after").map { text throws(Problem) in try Self.place(text, of: headings) }
        let limit = try call.pageSize(default: 1000, maximum: 10_000)
        let rows: [CountRow]
        do {
            // One row more than requested shows whether another page follows.
            rows = try await store.counts(
                CountQuery(
                    headings,
                    apps: headings.haveApps ? Self.apps(of: call.catalog) : [:],
                    of: codes,
                    after: after,
                    limit: limit + 1
                )
            )
        } catch {
            throw .userStateUnavailable(error)
        }
        let page = Array(rows.prefix(limit))
        let next = rows.count > limit ? page.last.map { CountRowName.text($0.heading) } : nil
        let body = CountsBody(page, of: headings, next: next)
        guard type == .csv else { return EndpointResponse(body, fields: Self.varying) }
        var fields = Self.varying
        // Without the link, a table doesn't show whether it is complete (RFC 8288).
        if let next, let name = HTTPField.Name("Link") {
            fields[name] = "<\(Self.address(of: call, after: next))>; rel=\"next\""
        }
        return EndpointResponse(.csv, bytes: body.csv, fields: fields)
    }

    private static let varying: HTTPFields = [.vary: "Accept"]

    /// Returns the type that a client wants: JSON, unless only CSV is acceptable, or only CSV is named.
    ///
    /// - Throws: `Problem` with the code `not-acceptable`.
    private static func type(wantedBy accept: FieldValues) throws(Problem) -> MediaType {
        let namesTable = AcceptHeader.names(.csv, in: accept)
        if namesTable, !AcceptHeader.names(.json, in: accept) { return .csv }
        if AcceptHeader.allows(.json, by: accept) { return .json }
        guard AcceptHeader.allows(.csv, by: accept) else {
            throw Problem(
                .notAcceptable,
                detail: "Answers are \(MediaType.json.essence) or \(MediaType.csv.essence); let `Accept` allow one."
            )
        }
        return .csv
    }

    private func headings(_ query: FormQuery) throws(Problem) -> CountQuery.Headings {
        let names = try query.text("by").map(NameList.items) ?? [CountQuery.Part.day.rawValue]
        let (since, until) = (try Self.day("since", of: query), try Self.day("until", of: query))
        if names.contains(where: { $0.bytewise == Self.codes.bytewise }) {
            guard names.count == 1, since == nil, until == nil else {
                throw .conflict(
                    field: "by",
                    detail: "`code` stands alone: codes have totals of all days, without `since` and `until`."
                )
            }
            return .codes
        }
        var parts: [CountQuery.Part] = []
        for name in names {
            guard let part = CountQuery.Part(bytewise: name), !parts.contains(part) else { throw Self.wrongParts }
            parts.append(part)
        }
        guard !parts.isEmpty else { throw Self.wrongParts }
        let last = until ?? max(CountedDay(of: now()), since ?? CountedDay(of: now()))
        // Nothing was counted before 1970.
        let first = since ?? min(max(last.advanced(by: 1 - Self.dayCount), CountedDay(number: 0)), last)
        guard first <= last else {
            throw .conflict(field: "since", detail: "`since` is after `until`; both days are included.")
        }
        return .days(first...last, by: parts)
    }

    private static var wrongParts: Problem {
        .invalidValue(
            field: "by",
            detail: "Write `by` as some of day, route, label and app, each once, with commas between them; or as code."
        )
    }

    /// Returns the app of each route that the catalog puts into a named app.
    private static func apps(of catalog: RouteCatalog) -> [ByteText: ByteText] {
        var apps: [ByteText: ByteText] = [:]
        for route in catalog.routes {
            if let app = route.app { apps[route.name.bytewise] = catalog.apps.name(of: app).bytewise }
        }
        return apps
    }

    /// Reads the codes in a query.
    private static func namedCodes(_ text: String, of headings: CountQuery.Headings) throws(Problem) -> [ByteText] {
        guard case .codes = headings else {
            throw .conflict(field: "code", detail: "Only `by=code` counts by codes; send it, or leave `code` out.")
        }
        let names = NameList.items(text)
        let codes = names.prefix(LinkCountLimits.namedCodeCount).compactMap { ShortLinkCode($0)?.text.bytewise }
        guard !names.isEmpty, codes.count == names.count else {
            throw .invalidValue(
                field: "code",
                detail: "Write `code` as codes with commas between them, \(LinkCountLimits.namedCodeCount) at most."
            )
        }
        return codes
    }

    private static func day(_ name: String, of query: FormQuery) throws(Problem) -> CountedDay? {
        guard let text = try query.text(name) else { return nil }
        guard let day = CountedDay(text) else {
            throw .invalidValue(field: name, detail: "`\(name)` is `\(text)`; write a day as `2027-01-31`.")
        }
        return day
    }

    private static func place(_ text: String, of headings: CountQuery.Headings) throws(Problem) -> CountRow.Heading {
        if let heading = CountRowName.heading(text, of: headings) { return heading }
        throw .invalidValue(field: "after", detail: "`after` isn't the `next` of a page with the same `by`.")
    }

    /// Returns the relative address of the page that follows a row.
    private static func address(of call: EndpointRequest, after next: String) -> String {
        let pairs = call.head.query.utf8.split(separator: UInt8(ascii: "&"))
            .filter { !$0.starts(with: "after=".utf8) }
            .map { String(decoding: $0, as: UTF8.self) }
        return "?" + (pairs + ["after=\(next)"]).joined(separator: "&")
    }
}
