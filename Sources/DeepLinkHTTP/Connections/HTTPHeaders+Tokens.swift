import NIOHTTP1

extension HTTPHeaders {
    /// Tells whether a field that lists tokens has one, whatever its case (RFC 9110 §5.6.1).
    func hasToken(_ token: String, in name: String) -> Bool {
        self[name]
            .contains { field in
                field.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == token }
            }
    }
}
