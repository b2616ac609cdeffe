import DeepLinkCore

extension JSONWriter {
    /// Writes a value that was read, the keys of its objects in the order of their bytes.
    package mutating func json(_ value: JSONValue) {
        switch value {
        case .null: string(nil)
        case .bool(let flag): self.value(.bool(flag))
        case .integer(let number): self.number(number)
        case .number(let number): self.value(.double(number))
        case .string(let text): string(text)
        case .array(let items): array(items) { $0.json($1) }
        case .object(let object):
            self.object { writer in
                for (name, value) in object.sorted(by: { $0.name < $1.name }) {
                    writer.key(name.string)
                    writer.json(value)
                }
            }
        }
    }
}
