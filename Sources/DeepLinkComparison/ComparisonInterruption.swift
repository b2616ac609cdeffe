/// The question whether a comparison is to go on, asked between its steps.
package struct ComparisonInterruption: Sendable {
    /// The end of a comparison that was to go on no longer: there is no report.
    package struct Stop: Error {}

    private let mustStop: @Sendable () -> Bool

    /// Asks a function, which is to answer at once.
    package init(mustStop: @escaping @Sendable () -> Bool) {
        self.mustStop = mustStop
    }

    /// Lets every comparison end by itself.
    package static let never = ComparisonInterruption { false }

    func check() throws(Stop) {
        if mustStop() { throw Stop() }
    }
}
