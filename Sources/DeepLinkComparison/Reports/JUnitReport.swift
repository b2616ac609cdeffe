import DeepLinkCore
import DeepLinkFormats

extension ComparisonReport {
    /// The report in the XML that CI servers read (github.com/testmoapp/junitxml): a test case for each finding, failed
    /// if its severity reaches the threshold, and one that passes if there are none.
    package func junit(failingOn threshold: Severity) -> String {
        let failures = findings.count { $0.acceptance == nil && $0.severity >= threshold }
        let name = XMLText.escaped("catalog \(oldVersion) → \(newVersion)")
        let cases = findings.map { junit($0, threshold: threshold) }
        let none = "  <testcase classname=\"catalog\" name=\"no change\"/>"
        let system = XMLText.escaped(([summary] + acceptanceFaults).joined(separator: "; "))
        let counts = "tests=\"\(max(1, findings.count))\" failures=\"\(failures)\""
        return
            (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuite name=\"\(name)\" \(counts)>"]
            + (cases.isEmpty ? [none] : cases) + ["  <system-out>\(system)</system-out>", "</testsuite>"])
            .joined(separator: "\n")
    }

    private func junit(_ finding: Finding, threshold: Severity) -> String {
        let rule = finding.rule.rawValue
        let head = "  <testcase classname=\"\(rule)\" name=\"\(XMLText.escaped(finding.message))\""
        guard finding.acceptance == nil, finding.severity >= threshold else { return head + "/>" }
        let details = finding.details.map { "\($0.label): \($0.text)" }.joined(separator: "; ")
        return head
            + ">\n    <failure message=\"\(finding.severity.name)\">\(XMLText.escaped(details))</failure>\n  </testcase>"
    }
}
