import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The short links that rows of another service become.
struct ImportedLinks: Sendable {
    /// A short link to be written, or the reason why there is none.
    enum Outcome: Sendable {
        /// The write, and whether it leads to the destination of links that lead nowhere.
        case write(ShortLinkWrite, line: Int, link: String, isOtherwise: Bool)

        case refused(ImportRefusal)
    }

    let destinations: ShortLinkDestinations

    /// The hosts that stand for others.
    let rewritings: [HostRewriting]

    /// The destination of links that lead nowhere; `nil` for none.
    let otherwise: ShortLinkDestination?

    /// The label of rows without one; `nil` for none.
    let label: ShortLinkLabel?

    /// Returns the outcome of a row.
    ///
    /// - Complexity: that of resolving, and of building a link.
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
