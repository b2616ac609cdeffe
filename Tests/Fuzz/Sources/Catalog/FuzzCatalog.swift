@testable import DeepLinkCatalog
@testable import DeepLinkCore
@testable import DeepLinkFormats

/// Loads any bytes as a catalog; if they are one, shows it, and resolves links that wander through it.
func fuzzCatalog(_ input: FuzzInput) {
    do throws(CatalogError) {
        let catalog = try CatalogLoader.load(input.bytes, file: "fuzz.yaml")
        check(catalog)
        var walk = CatalogWalk(catalog, seed: input.digest)
        for _ in 0..<3 { LinkLaws.check(Array(walk.link().utf8), from: Array(walk.link().utf8), in: catalog) }
    } catch {
        check(error.issues, of: input.bytes)
    }
}

private func check(_ catalog: RouteCatalog) {
    let json = CatalogBody(catalog).json
    let isObject = if case .object? = try? JSONParser.parse(json) { true } else { false }
    Law.require(isObject, "the catalog is shown as what is no JSON: \(String(decoding: json, as: UTF8.self))")
    for gate in catalog.gateLinks {
        let request = (try? DeepLink(gate.link, rootless: catalog.rootlessSchemes)).map { ResolutionRequest(link: $0) }
        let answer = request.map { resolve($0, userLevel: gate.level, catalog: catalog) }
        let leads = if case .plan? = answer { true } else { false }
        Law.require(leads, "the gate \(gate.link) leads nowhere")
    }
}

private func check(_ issues: [CatalogIssue], of bytes: [UInt8]) {
    Law.require(!issues.isEmpty, "the catalog is refused without an issue")
    let breaks = JSONText.isObject(bytes) ? jsonBreaks : yamlBreaks
    let widths = lineWidths(of: String(decoding: bytes, as: UTF8.self), breaks: breaks)
    for issue in issues {
        let (line, column) = (issue.location.line, issue.location.column)
        let text = "\(line):\(column): \(issue.code.rawValue): \(issue.message)"
        Law.require(line >= 1 && column >= 1, "before the file: \(text)")
        // A fault at the end may be reported right after it.
        let isInside = line <= widths.count ? column <= widths[line - 1] + 1 : line == widths.count + 1 && column == 1
        Law.require(isInside, "outside the file of \(widths.count) lines: \(text)")
        Law.require(!issue.message.isEmpty && !issue.hint.isEmpty, "an issue says nothing: \(text)")
    }
    Law.require(
        zip(issues, issues.dropFirst()).allSatisfy { $0.location <= $1.location },
        "the issues are not in the order of the file"
    )
}

/// The line breaks of YAML 1.1 (§5.4).
private let yamlBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

/// The line breaks of JSON (RFC 8259 §2).
private let jsonBreaks: Set<Unicode.Scalar> = ["\n", "\r"]

/// Returns the number of characters of each line.
private func lineWidths(of text: String, breaks: Set<Unicode.Scalar>) -> [Int] {
    var widths = [0]
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
        if scalar == "\n", previous == "\r" {
            previous = scalar
            continue
        }
        if breaks.contains(scalar) {
            widths.append(0)
        } else {
            widths[widths.count - 1] += 1
        }
        previous = scalar
    }
    return widths
}
