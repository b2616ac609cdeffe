/// Decides whether some text fits two parameter types of equal specificity.
///
/// Bounds do not separate: that a number is at most 10 here and at least 11 there would make the meaning of a
/// link depend on a limit that someone later moves.
enum TypeOverlap {
    /// Tells whether two types have a text in common; types of different specificity count as apart.
    ///
    /// Comparing patterns draws on a budget; the answer is `nil` where it runs out.
    static func exists(_ left: ParameterType, _ right: ParameterType, budget: inout Int) -> Bool? {
        switch (left, right) {
        case (.enumeration(let left), .enumeration(let right)):
            left.contains { word in right.contains { $0.utf8.elementsEqual(word.utf8) } }
        case (.string(_, _, let left?), .string(_, _, let right?)):
            TextPatternOverlap.exists(left, right, budget: &budget)
        case (.string(_, _, nil), .string(_, _, nil)): true
        case (.int, .int), (.double, .double), (.bool, .bool), (.uuid, .uuid), (.date, .date), (.dateTime, .dateTime):
            true
        // Only `0` and `1` are both whole numbers and truth values; no other two exact types share a text.
        case (.int, .bool), (.bool, .int): true
        default: false
        }
    }
}
