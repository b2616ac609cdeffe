import DeepLinkFormats

/// The question that `If-None-Match` (RFC 9110 §13.1.2) is read for: whether a client has what it asks for.
enum IfNoneMatch {
    /// Returns whether the field names an entity tag, which is written with its quotes.
    ///
    /// The comparison is weak: `W/"…"` names the same content.
    static func names(_ tag: String, _ fields: FieldValues) -> Bool {
        fields
            .contains { field in
                FieldParts(of: field, at: ",")
                    .contains { known in
                        let known = known.starts(with: "W/".utf8) ? known.dropFirst(2) : known
                        return known.elementsEqual(tag.utf8) || known.elementsEqual("*".utf8)
                    }
            }
    }
}
