import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats

/// A loaded catalog, as its address crosses the border to C.
///
/// The functions below are called by `Runtime/engine.c`, which has the exported functions, the buffer and the handles.
/// They keep nothing themselves.
private final class EngineCatalog {
    let catalog: RouteCatalog

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }
}

/// Loads a bundle.
///
/// - Returns: the address of the catalog, or `nil` if the bytes are no bundle, with the first issue as the answer.
@_cdecl("waymark_catalog_load")
public func waymarkCatalogLoad(
    _ bundle: UnsafePointer<UInt8>,
    _ count: Int,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    _ answerCount: UnsafeMutablePointer<Int>
) -> UnsafeMutableRawPointer? {
    do throws(CatalogError) {
        let document = try BundleDocument(Array(UnsafeBufferPointer(start: bundle, count: count)))
        return Unmanaged.passRetained(EngineCatalog(document.catalog)).toOpaque()
    } catch {
        var writer = JSONWriter()
        if let issue = error.issues.first { writer.issue(issue) }
        answerCount.pointee = write(writer.bytes, to: answer)
        return nil
    }
}

/// Frees a catalog.
@_cdecl("waymark_catalog_unload")
public func waymarkCatalogUnload(_ catalog: UnsafeMutableRawPointer) {
    Unmanaged<EngineCatalog>.fromOpaque(catalog).release()
}

/// Answers a body of `POST /v1/resolve`, or of `POST /v1/links`.
///
/// - Returns: the status.
@_cdecl("waymark_catalog_answer")
public func waymarkCatalogAnswer(
    _ catalog: UnsafeMutableRawPointer,
    _ linksTo: Bool,
    _ body: UnsafePointer<UInt8>,
    _ count: Int,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    _ answerCount: UnsafeMutablePointer<Int>
) -> Int32 {
    let catalog = Unmanaged<EngineCatalog>.fromOpaque(catalog).takeUnretainedValue().catalog
    let body = Array(UnsafeBufferPointer(start: body, count: count))
    let made = linksTo ? EngineAnswer(linkingTo: body, in: catalog) : EngineAnswer(resolving: body, in: catalog)
    answerCount.pointee = write(made.body, to: answer)
    return Int32(made.status)
}

/// Copies bytes to memory that C frees, and returns their number.
private func write(_ bytes: [UInt8], to answer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    copy.initialize(from: bytes, count: bytes.count)
    answer.pointee = copy
    return bytes.count
}
