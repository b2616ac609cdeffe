import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The conversion of another service's rows to short links.
struct ImportedLinks: Sendable {
    /// A short link to write, or the reason why there is none.
    enum Outcome: Sendable {
        /// The write, and whether it has the common fallback as its destination.
        case write(ShortLinkWrite, line: Int, link: String, isOtherwise: Bool)

        case refused(ImportRefusal)
    }

    let destinations: ShortLinkDestinations

    /// The hosts to be replaced.
    let rewritings: [HostRewriting]

    /// The fallback destination of links that cannot be resolved, or `nil` if there is none.
    let otherwise: ShortLinkDestination?

    /// The label of rows without their own, or `nil` if there is none.
    let label: ShortLinkLabel?

    /// Returns the outcome of a row.
    ///
    /// - Complexity: Resolving and building a link.
    func outcome(of row: ImportedRow, at time: Timestamp) -> Outcome {
        func refused(_ reason: String, _ message: String) -> Outcome {
            .refused(ImportRefusal(line: row.line, code: row.code, link: row.link, reason: reason, message: message))
        }
        guard let code = ShortLinkCode(row.code.codeOfShortLink) else {
            return refused(
                "invalid-code",
                "A code has \(ShortLinkCode.minimumCount) to \(ShortLinkCode.maximumCount) of A–Z, a–z, 0–9, - and _."
            )
        }
        guard !ReservedPath.contains(code.text) else {
            return refused("reserved-code", "The server answers the path `/\(code.text)` itself.")
        }
        var label = label
        if !row.label.isEmpty {
            guard let own = ShortLinkLabel(new: row.label) else {
                return refused(
                    "invalid-label",
                    "A label has at most \(ShortLinkLabel.maximumByteCount) bytes and no control characters."
                )
            }
            label = own
        }
        let destination: ShortLinkDestination
        var isOtherwise = false
        let text = rewritings.rewritten(row.link)
        do throws(ShortLinkFault) {
            destination = try destinations.destination(of: text)
        } catch {
            guard let otherwise else { return .refused(ImportRefusal(row, link: text, fault: error)) }
            (destination, isOtherwise) = (otherwise, true)
        }
        guard let code = try? destination.importedCode(code) else {
            return refused(
                "code-too-short",
                "`\(destination.target.shape.route)` needs a signature, and a code that stands for one has "
                    + "\(ShortLinkDestination.signedLength) characters or more."
            )
        }
        let contents = ShortLinkContents(
            target: destination.target,
            label: label,
            expires: destination.latestEnd(at: time),
            signature: destination.signature
        )
        let write = ShortLinkWrite(
            code: code,
            contents: contents,
            precondition: .absent,
            time: time,
            author: UserOutput.author
        )
        return .write(write, line: row.line, link: text, isOtherwise: isOtherwise)
    }
}
