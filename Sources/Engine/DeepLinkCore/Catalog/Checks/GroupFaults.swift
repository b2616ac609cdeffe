/// The faults of groups' edges whose messages name the parent, each fault once.
///
/// A group's edge has one declaration, and the same fault in each route with the group.
struct GroupFaults {
    /// A fault without its parent.
    private struct Fault: Hashable {
        let code: CatalogIssue.Code
        let location: SourceLocation

        /// The message with another text in the place of the parent's name.
        let pattern: String
    }

    /// The issue of the first parent, with the number of parents.
    private struct Entry {
        let issue: CatalogIssue
        let group: String
        var parentCount: Int
    }

    private var entries: [Entry] = []
    private var places: [Fault: Int] = [:]

    /// Adds the issue of an edge in one parent.
    ///
    /// - Parameters:
    ///   - issue: the issue.
    ///   - group: the name of the group that declares the edge.
    ///   - pattern: the message with another text in the place of the parent's name.
    mutating func note(_ issue: CatalogIssue, of group: String, pattern: String) {
        let fault = Fault(code: issue.code, location: issue.location, pattern: pattern)
        if let place = places[fault] {
            entries[place].parentCount += 1
        } else {
            places[fault] = entries.count
            entries.append(Entry(issue: issue, group: group, parentCount: 1))
        }
    }

    /// The issues, which name the first parent and count all of them.
    var issues: [CatalogIssue] {
        entries.map { entry in
            guard entry.parentCount > 1 else { return entry.issue }
            let (issue, others) = (entry.issue, entry.parentCount - 1)
            return CatalogIssue(
                issue.code,
                at: issue.location,
                message: issue.message
                    + " The same holds for \(others) other route\(others == 1 ? "" : "s") with the group `\(entry.group)`.",
                hint: issue.hint
            )
        }
    }
}
