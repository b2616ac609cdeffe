import DeepLinkCore
import FuzzSupport

/// Looks for inputs that cost much for their length: whatever a stranger sends must cost about what plain text costs.
///
/// The first byte chooses a door, the rest is repeated until it is as long as the door lets in, so that a cost which
/// grows with a square shows.
@c(LLVMFuzzerTestOneInput)
public func fuzzCost(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = FuzzInput(start, count).bytes
    guard let choice = bytes.first, bytes.count > 1 else { return 0 }
    let door = Door.allCases[Int(choice) % Door.allCases.count]
    let unit = bytes.dropFirst()
    let text = Array(repeatElement(unit, count: max(door.byteCount / unit.count, 1)).joined())
    let cost = ProcessorTime.least { door.enter(text) }
    // What takes less is no danger, whatever plain text takes.
    guard cost > Door.negligible else { return 0 }
    let plain = ProcessorTime.least { door.enter([UInt8](repeating: UInt8(ascii: "a"), count: text.count)) }
    let ratio = Double(cost) / Double(max(plain, Door.negligible / 50))
    Law.require(
        ratio <= Door.limit,
        "\(door): \(text.count) bytes take \(cost / 1000) µs, \(ratio) times as long as plain ones"
    )
    return 0
}
