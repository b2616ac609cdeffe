/// How many recorded links a comparison has seen, and how many of them change.
package struct RecordedLinks: Sendable {
    /// All of them.
    package internal(set) var linkCount = 0

    /// How often they were opened.
    package internal(set) var openCount = 0

    /// Those that are no links.
    package internal(set) var malformedCount = 0

    /// Those that mean something else now, or nothing.
    package internal(set) var changedCount = 0

    /// How often these were opened.
    package internal(set) var changedOpenCount = 0

    /// Those that mean nothing now.
    package internal(set) var diedCount = 0

    /// How often these were opened.
    package internal(set) var diedOpenCount = 0

    /// Adds the counts of others.
    mutating func add(_ others: RecordedLinks) {
        linkCount += others.linkCount
        openCount += others.openCount
        malformedCount += others.malformedCount
        changedCount += others.changedCount
        changedOpenCount += others.changedOpenCount
        diedCount += others.diedCount
        diedOpenCount += others.diedOpenCount
    }
}
