import DeepLinkCore
import DeepLinkFormats

extension ComparisonReport {
    /// The report in the XML that CI servers read (github.com/testmoapp/junitxml): a test case for each change, failed
    /// if its severity reaches the threshold, and one that passes if there are none.
    package func junit(failingOn threshold: Severity) -> String {
        let failures = changes.count { $0.worst.map { $0 >= threshold } ?? false }
        let name = XMLText.escaped("catalog \(oldVersion) → \(newVersion)")
        let cases = changes.map { junit($0, threshold: threshold) }
        let none = "  <testcase classname=\"catalog\" name=\"no change\"/>"
        let system = XMLText.escaped(([summary] + acceptanceFaults).joined(separator: "; "))
        let counts = "tests=\"\(max(1, changes.count))\" failures=\"\(failures)\""
        return
            (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuite name=\"\(name)\" \(counts)>"]
            + (cases.isEmpty ? [none] : cases) + ["  <system-out>\(system)</system-out>", "</testsuite>"])
            .joined(separator: "\n")
    }

    private func junit(_ change: ReportedChange, threshold: Severity) -> String {
        let rule = change.findings[0].rule.rawValue
        let head = "  <testcase classname=\"\(rule)\" name=\"\(XMLText.escaped(change.alike.message))\""
        guard let worst = change.worst, worst >= threshold else { return head + "/>" }
        let details = (change.alike.first.details.map { "\($0.label): \($0.text)" } + change.consequences.map(\.text))
            .joined(separator: "; ")
        return head
            + ">\n    <failure message=\"\(worst.name)\">\(XMLText.escaped(details))</failure>\n  </testcase>"
    }
}
