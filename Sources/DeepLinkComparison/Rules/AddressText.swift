import DeepLinkCore

/// The way in which links address a route, as reports write it.
enum AddressText {
    /// Writes a path with its slash, or a query key with its question mark.
    static func text(of address: RouteAddress) -> String {
        switch address {
        case .path(let pattern): "/" + pattern.text
        case .query(let key): "?" + key
        }
    }

    /// Writes a path with its parameters' names left out: two that are equal take the same links.
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
