extension String.UTF8View {
    /// Calls a closure with the bytes in place.
    ///
    /// `span` requires iOS 26, and an app may run on older systems. There native Swift strings are contiguous, too; one
    /// bridged from Objective-C is copied.
    @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        #if canImport(Darwin)
        if let result = withContiguousStorageIfAvailable({ body($0.span) }) { return result }
        let copy = Array(self)
        return body(copy.span)
        #else
        return body(span)
        #endif
    }
}
