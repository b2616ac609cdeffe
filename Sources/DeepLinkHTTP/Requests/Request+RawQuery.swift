import Hummingbird

extension Request {
    /// The query as sent, without its question mark; empty where there is none.
    var rawQuery: Substring {
        let target = head.path ?? ""
        return target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[target.utf8.index(after: $0)...] } ?? ""
    }
}
