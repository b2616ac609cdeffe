/// The counts of recorded links that a comparison has read.
package struct RecordedLinks: Sendable {
    /// The number of links.
    package internal(set) var linkCount = 0

    /// The number of times that the links were opened.
    package internal(set) var openCount = 0

    /// The number of malformed links.
    package internal(set) var malformedCount = 0

    /// The number of links that change or die.
    package internal(set) var changedCount = 0

    /// The number of times that the changed links were opened.
    package internal(set) var changedOpenCount = 0

    /// The number of links that die.
    package internal(set) var diedCount = 0

    /// The number of times that the dead links were opened.
    package internal(set) var diedOpenCount = 0

    /// Adds other counts to these.
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
