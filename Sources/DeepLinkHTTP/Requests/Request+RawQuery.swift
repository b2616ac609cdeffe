import Hummingbird

extension Request {
    /// The query as sent, without its question mark; empty where there is none.
    var rawQuery: Substring {
        let target = head.path ?? ""
        return target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
    }
}
