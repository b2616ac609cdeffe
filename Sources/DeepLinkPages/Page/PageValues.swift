import DeepLinkCore

/// The values of a link that may stand in a text: those that nobody else can word.
///
/// Whoever sends a link chooses its texts; on a page of one's own they would be believed.
struct PageValues {
    private var values: [ByteText: String] = [:]

    /// Takes the numbers, UUIDs, dates and words of enumerations of the destination on top.
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

    /// Fills the places of a text; `nil` where a value is missing.
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
