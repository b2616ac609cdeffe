import DeepLinkFormats
import DeepLinkReporting
import Testing

@testable import WaymarkCommands

/// Tests of a report as text.
@Suite struct ReportCommandTests {
    private func lines(resolved: Int, pages: Int) throws -> [String] {
        func counts(_ route: String) -> String {
            #"{"routes":[{"route":"product","catalogVersion":"v",\#(route)}],"gates":[],"problems":{}}"#
        }
        let visits = #"{"page":\#(pages),"preview":3,"redirected":0,"unknown":0,"routes":[]}"#
        let text = """
            {"since":"2026-11-26T10:00:00Z","total":\(counts(#""resolved":\#(resolved),"gated":{}"#)),\
            "lastHour":\(counts(#""resolved":0,"gated":{}"#)),"hours":[],"unmatched":{"total":0,"links":[]},\
            "pages":{"total":\(visits),"lastHour":\(visits),"unmatched":{"total":0,"links":[]}}}
            """
        return ReportCommand.lines(try ResolutionReport(try JSONParser.parse(Array(text.utf8))))
    }

    @Test func `a report with pages and no resolved link says why that may be`() throws {
        let hint = "Links were visited, and no app or service resolved one."
        #expect(try lines(resolved: 0, pages: 2).last?.hasPrefix(hint) == true)
        // A preview is no visit.
        #expect(try lines(resolved: 0, pages: 0).allSatisfy { !$0.hasPrefix(hint) })
        let resolved = try lines(resolved: 1, pages: 2)
        #expect(resolved.allSatisfy { !$0.hasPrefix(hint) })
        #expect(resolved.contains { $0.hasPrefix("total") })
    }
}
