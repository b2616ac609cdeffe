import DeepLinkCore

/// The values of a link that may appear in a text: those whose wording a sender can't choose.
///
/// The author of a link chooses its texts, and visitors would believe them on a page of the site.
struct PageValues {
    private var values: [ByteText: String] = [:]

    /// Reads the numbers, UUIDs, dates and words of enumerations of the top destination.
    init(_ plan: RoutePlan) {
        guard let edge = plan.topEdge, let top = plan.stack.last else { return }
        for parameter in edge.parameters {
            guard case .scalar(let type) = parameter.type else { continue }
            switch type {
            case .int, .uuid, .date, .enumeration: break
            case .string, .double, .bool, .dateTime: continue
            }
            let bound = top.parameters.first { $0.name.bytewise == parameter.name.bytewise }
            if let bound { values[parameter.name.bytewise] = bound.value.text }
        }
    }

    /// Returns a text with its placeholders replaced; `nil` if a value is missing.
    func fill(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var filled = ""
        for part in TextTemplate(text).parts {
            switch part {
            case .text(let text): filled += text
            case .parameter(let name):
                guard let value = values[name.bytewise] else { return nil }
                filled += value
            }
        }
        return filled
    }
}
