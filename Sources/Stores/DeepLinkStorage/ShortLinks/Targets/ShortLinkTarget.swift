package import DeepLinkCore

/// The destination of a short link: a stack of the catalog, with the link that resolved to it when it was stored.
///
/// The stack is split into its ``shape``, which many links share, and its values, in a few bytes. Neither depends on a
/// catalog.
package struct ShortLinkTarget: Hashable, Sendable {
    /// The maximum length of the link, in bytes.
    package static let maximumTextByteCount = 8192

    /// The routes and presentations.
    package let shape: ShortLinkShape

    /// The parameters of all destinations (``StackValues``).
    package let values: [UInt8]

    /// The canonical link of the stack in the catalog for which it was made.
    package let text: String

    /// Splits a stack, root first, into its shape and values.
    ///
    /// - Complexity: Linear in the destinations and their values.
    package init(stack: [Destination], text: String) {
        shape = ShortLinkShape(stack)
        values = StackValues.bytes(of: stack)
        self.text = text
    }

    /// Creates a target from its stored parts.
    package init(shape: ShortLinkShape, values: [UInt8], text: String) {
        self.shape = shape
        self.values = values
        self.text = text
    }

    /// The destinations, root first, or `nil` if the values don't match the shape, which means they are damaged.
    ///
    /// - Complexity: Linear in the bytes.
    package var stack: [Destination]? {
        guard let destinations = shape.destinations else { return nil }
        return StackValues.stack(destinations, having: values)
    }
    package static func == (left: ShortLinkTarget, right: ShortLinkTarget) -> Bool {
        left.values == right.values && left.text.bytewise == right.text.bytewise && left.shape == right.shape
    }
    package func hash(into hasher: inout Hasher) {
        hasher.combine(shape)
        hasher.combine(values)
        hasher.combine(text.bytewise)
    }
}

/// The routes and presentations of a stack, without its values.
///
/// A store saves each shape once for all its links, and a change of the catalog is checked shape by shape. The text has
/// a line for each destination, root first: the presentation, a space and the route. It is stored, so the text of a
/// stack must never change.
package struct ShortLinkShape: Hashable, Sendable {
    /// The shape as text.
    package let text: String

    /// Creates the shape of a stack.
    ///
    /// - Complexity: Linear in the names.
    package init(_ stack: [Destination]) {
        text = stack.map { "\($0.presentation.name) \(Self.escaped($0.route))" }.joined(separator: "\n")
    }

    /// Creates a shape from its stored text.
    package init(text: String) {
        self.text = text
    }

    /// The destinations without values, root first, or `nil` if the text is not a valid shape.
    ///
    /// - Complexity: Linear in the text.
    package var destinations: [Destination]? {
        guard !text.isEmpty else { return [] }
        var stack: [Destination] = []
        for line in text.utf8.split(separator: Self.newline, omittingEmptySubsequences: false) {
            guard let space = line.firstIndex(of: Self.space),
                let presentation = Presentation(name: String(decoding: line[..<space], as: UTF8.self)),
                let route = Self.unescaped(line[line.index(after: space)...])
            else { return nil }
            stack.append(Destination(route: route, presentation: presentation))
        }
        return stack
    }

    /// The route at the top of the stack, by which links are listed.
    ///
    /// Empty for an empty stack.
    package var route: String { destinations?.last?.route ?? "" }

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let backslash = UInt8(ascii: "\\")

    /// Returns a name with line breaks escaped.
    private static func escaped(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == newline || $0 == backslash }) else { return name }
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case newline: bytes += [backslash, UInt8(ascii: "n")]
            case backslash: bytes += [backslash, backslash]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the name of an escaped line, or `nil` if the line is not valid.
    private static func unescaped(_ line: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = line.makeIterator()
        while let byte = rest.next() {
            guard byte == backslash else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case backslash: bytes.append(backslash)
            case UInt8(ascii: "n"): bytes.append(newline)
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
    package static func == (left: ShortLinkShape, right: ShortLinkShape) -> Bool {
        left.text.bytewise == right.text.bytewise
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The encoding of a stack's parameters as bytes.
///
/// The first byte is the version of the format. Then follow, for each destination, the number of its parameters, and
/// the name and value of each. Numbers have a variable length, with seven bits in each byte, the lowest first (LEB128).
/// Texts have their length in front. A value begins with its ``Tag``. Stores save these bytes, so the format never
/// changes, and a new format has another version.
enum StackValues {
    private static let version: UInt8 = 1

    /// The maximum nesting of lists and objects that is read, which is deeper than a catalog nests.
    private static let maximumDepth = 64

    /// The kinds of values.
    private enum Tag: UInt8 {
        case string, int, double, yes, no, list, object
    }

    // MARK: Writing

    /// Returns the bytes of a stack's parameters.
    static func bytes(of stack: [Destination]) -> [UInt8] {
        var bytes = [version]
        for destination in stack { append(destination.parameters, to: &bytes) }
        return bytes
    }

    private static func append(_ parameters: [BoundParameter], to bytes: inout [UInt8]) {
        append(UInt64(parameters.count), to: &bytes)
        for parameter in parameters {
            append(parameter.name, to: &bytes)
            append(parameter.value, to: &bytes)
        }
    }

    private static func append(_ value: ParameterValue, to bytes: inout [UInt8]) {
        switch value {
        case .string(let text):
            bytes.append(Tag.string.rawValue)
            append(text, to: &bytes)
        case .int(let number):
            bytes.append(Tag.int.rawValue)
            // The sign is the lowest bit, so that small numbers of either sign are short.
            append(UInt64(bitPattern: number << 1 ^ number >> 63), to: &bytes)
        case .double(let number):
            bytes.append(Tag.double.rawValue)
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
        case .bool(let flag): bytes.append((flag ? Tag.yes : Tag.no).rawValue)
        case .list(let items):
            bytes.append(Tag.list.rawValue)
            append(UInt64(items.count), to: &bytes)
            for item in items { append(item, to: &bytes) }
        case .object(let fields):
            bytes.append(Tag.object.rawValue)
            append(fields, to: &bytes)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt64(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    // MARK: Reading

    /// Returns a stack with the parameters of its encoded values, or `nil` if the bytes don't match the stack.
    static func stack(_ destinations: [Destination], having bytes: [UInt8]) -> [Destination]? {
        guard bytes.first == version else { return nil }
        var reader = Reader(rest: bytes[1...])
        var stack: [Destination] = []
        for destination in destinations {
            guard let parameters = reader.parameters(depth: 0) else { return nil }
            stack.append(
                Destination(
                    route: destination.route,
                    presentation: destination.presentation,
                    parameters: parameters
                )
            )
        }
        return reader.rest.isEmpty ? stack : nil
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func parameters(depth: Int) -> [BoundParameter]? {
            // Each element takes at least two bytes, so an impossible count reserves nothing.
            guard depth <= maximumDepth, let count = number(), count <= UInt64(rest.count) else { return nil }
            var parameters: [BoundParameter] = []
            for _ in 0..<count {
                guard let name = text(), let value = value(depth: depth) else { return nil }
                parameters.append(BoundParameter(name: name, value: value))
            }
            return parameters
        }

        private mutating func value(depth: Int) -> ParameterValue? {
            switch rest.popFirst().flatMap(Tag.init) {
            case .string: return text().map { .string($0) }
            case .int:
                return number().map { .int(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
            case .double:
                guard rest.count >= 8 else { return nil }
                let bits = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                rest.removeFirst(8)
                let number = Double(bitPattern: bits)
                return number.isFinite ? .double(number) : nil
            case .yes: return .bool(true)
            case .no: return .bool(false)
            case .list:
                guard depth < maximumDepth, let count = number(), count <= UInt64(rest.count) else { return nil }
                var items: [ParameterValue] = []
                for _ in 0..<count {
                    guard let item = value(depth: depth + 1) else { return nil }
                    items.append(item)
                }
                return .list(items)
            case .object: return parameters(depth: depth + 1).map { .object($0) }
            case nil: return nil
            }
        }

        private mutating func text() -> String? {
            guard let count = number(), count <= UInt64(rest.count) else { return nil }
            let bytes = rest.prefix(Int(count))
            rest.removeFirst(Int(count))
            return String(validating: bytes, as: UTF8.self)
        }

        private mutating func number() -> UInt64? {
            var (number, shift): (UInt64, UInt64) = (0, 0)
            while let byte = rest.popFirst() {
                let part = UInt64(byte & 0x7F)
                guard shift < 63 || part <= 1 else { return nil }
                number |= part << shift
                if byte < 0x80 { return number }
                shift += 7
                guard shift < 64 else { return nil }
            }
            return nil
        }
    }
}
