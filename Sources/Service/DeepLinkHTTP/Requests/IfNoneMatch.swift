import DeepLinkFormats

/// The header field `If-None-Match` (RFC 9110 §13.1.2), read for whether a client already has the content.
enum IfNoneMatch {
    /// Returns whether the field names an entity tag, which is written with its quotes.
    ///
    /// The comparison is weak: `W/"…"` names the same content.
    static func names(_ tag: String, in fields: FieldValues) -> Bool {
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
