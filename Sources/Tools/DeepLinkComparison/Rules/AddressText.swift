import DeepLinkCore

/// The address of a route in links, in the syntax of reports.
enum AddressText {
    /// Returns a path with its slash, or a query key with its question mark.
    static func text(of address: RouteAddress) -> String {
        switch address {
        case .path(let pattern): "/" + pattern.text
        case .query(let key): "?" + key
        }
    }

    /// Returns a path without its parameters' names: two equal shapes match the same links.
    static func shape(of pattern: PathPattern) -> String {
        var shape = ""
        var isName = false
        for scalar in pattern.text.unicodeScalars {
            switch scalar {
            case "{": (isName, shape) = (true, shape + "{")
            case "}": (isName, shape) = (false, shape + "}")
            case "?", "*": shape.unicodeScalars.append(scalar)
            default: if !isName { shape.unicodeScalars.append(scalar) }
            }
        }
        return shape
    }
}
