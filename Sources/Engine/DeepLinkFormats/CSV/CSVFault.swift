/// The reason why a record of comma-separated values cannot be read, with its location.
package struct CSVFault: Error, Hashable, Sendable {
    /// A rule that a record can break.
    package enum Rule: Hashable, Sendable {
        /// A quotation mark is inside a field that doesn't begin with one (RFC 4180 §2.5).
        case quoteInside

        /// Text follows a closing quotation mark.
        case textAfterQuote

        /// A quoted field is not closed before the end of the file.
        case unclosedQuote

        /// A field isn't UTF-8.
        case invalidUTF8

        /// The record has more bytes than the limit, inside or outside a quoted field.
        case tooLong(limit: Int)

        /// The record has more fields than the limit.
        case tooManyFields(limit: Int)
    }

    /// The rule that the record breaks.
    package let rule: Rule

    /// The line of the file at which the record begins, counted from 1.
    package let line: Int

    /// The invalid field, counted from 1.
    package let field: Int

    /// Creates a fault from its parts.
    package init(_ rule: Rule, line: Int, field: Int) {
        self.rule = rule
        self.line = line
        self.field = field
    }

    /// The fault and its remedy, in one or two sentences.
    package var message: String {
        switch rule {
        case .quoteInside:
            "Field \(field) has a quotation mark inside. Put the whole field into quotation marks, and double those inside."
        case .textAfterQuote: "Field \(field) goes on after its closing quotation mark. Double those that belong to it."
        case .unclosedQuote: "Field \(field) begins with a quotation mark, and has no closing one."
        case .invalidUTF8: "Field \(field) isn't UTF-8. Save the file as CSV in UTF-8."
        case .tooLong(let limit):
            "The row is longer than \(limit) bytes, in field \(field). Look for a quotation mark that isn't closed."
        case .tooManyFields(let limit): "The row has more than \(limit) fields."
        }
    }
}
