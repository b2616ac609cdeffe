import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import Foundation

/// The command that fetches the resolution reports of servers, and adds them up.
package struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Shows the resolutions of running servers: routes, gates, and links that failed.",
        discussion: """
            Each server counts its own resolutions. Name all replicas for their sum:

            WAYMARK_TOKEN=wm_… waymark report --servers http://10.0.0.1:8080,http://10.0.0.2:8080
            """
    )

    /// The environment variable of the token, which isn't visible in lists of processes.
    private static let tokenVariable = "WAYMARK_TOKEN"

    @Option(
        help: ArgumentHelp(
            "The servers, as http or https URLs. Default: the server of the settings.",
            valueName: "url,url…"
        )
    )
    var servers: String?

    @Option(
        help: ArgumentHelp(
            "The PEM file of the certificate authorities of https servers. Default: the authorities of this machine.",
            valueName: "file"
        )
    )
    var authorities: String?

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let token = ProcessInfo.processInfo.environment[Self.tokenVariable]
        var sum: ResolutionReport?
        for address in try addresses() {
            let answer = try await ReportQuery(address: address, token: token).answer()
            if sum == nil { sum = answer } else { sum?.add(answer) }
        }
        guard let sum else { throw CommandError.usage("--servers names none.") }
        format.print(sum, lines: Self.lines(sum))
    }

    private func addresses() throws -> [ServerAddress] {
        guard let servers else {
            let settings = try shared.settings(overriding: listening.overrides)
            let own = settings.tls.map { ServerTrust.own(file: $0.certificate) }
            return [ServerAddress(host: settings.host, port: settings.port, trust: own)]
        }
        let trust = authorities.map { ServerTrust.authorities(file: $0) } ?? .system
        return try servers.utf8.split(separator: UInt8(ascii: ","))
            .map { part throws(CommandError) in try ServerAddress(String(Substring(part)), trust: trust) }
    }

    /// Returns the lines of a report as text.
    static func lines(_ report: ResolutionReport) -> [String] {
        var lines = ["since \(report.since.rfc3339)"]
        var table = TextTable([["", "resolved", "gated", "failed"]])
        for (name, counts) in [("total", report.total), ("last hour", report.lastHour)] {
            let outcomes = counts.outcomes
            table.append([name, "\(outcomes.resolved)", "\(outcomes.gated)", "\(outcomes.failed)"])
        }
        lines += table.lines + [""]
        var routes = TextTable([["route", "catalog", "resolved", "gated"]])
        for (key, counts) in report.total.routes.sorted(by: {
            ($1.value.resolved, $0.key.route) < ($0.value.resolved, $1.key.route)
        }) {
            let (resolved, gated) = (counts.resolved, counts.gatedCount)
            routes.append([key.route.string, key.catalogVersion.string, "\(resolved)", "\(gated)"])
        }
        lines += routes.lines
        lines += Self.lines(report.unmatched, title: "links that nothing matched")
        guard let pages = report.pages else { return lines }
        lines += [""] + Self.lines(pages)
        lines += Self.lines(pages.unmatched, title: "links of visitors that nothing matched")
        let (outcomes, visits) = (report.total.outcomes, pages.total.sum)
        let hasVisitsAlone = visits[0] + visits[2] > 0 && outcomes == (0, 0, 0)
        return hasVisitsAlone ? lines + ["", Self.hint] : lines
    }

    /// The hint for links that are visited and never resolved.
    private static let hint =
        "Links were visited, and no app or service resolved one. What apps resolve offline, or on servers that are not "
        + "named here, is not counted. What apps opened on all servers is in GET /v1/counts."

    private static func lines(_ entries: [FrequentTexts.Entry], title: String) -> [String] {
        guard !entries.isEmpty else { return [] }
        return ["", title] + TextTable(entries.map { ["\($0.count)", $0.text.string] }).lines
    }

    private static func lines(_ pages: ResolutionReport.Pages) -> [String] {
        var table = TextTable([["visitors", "page", "preview", "redirected", "unknown"]])
        for (name, counts) in [("total", pages.total), ("last hour", pages.lastHour)] {
            table.append([name] + (0..<4).map { "\(counts.sum[$0])" })
        }
        for (key, counts) in pages.total.routes.sorted(by: { $0.key.route < $1.key.route }) {
            table.append([key.route.string] + (0..<3).map { "\(counts[$0])" } + [""])
        }
        return table.lines
    }
}
