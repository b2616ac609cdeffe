@testable import DeepLinkCore

/// Looks for inputs that cost much for their length: whatever a stranger sends must cost about what plain text costs.
///
/// The first byte chooses a door, the rest is repeated until it is as long as the door lets in, so that a cost which
/// grows with a square shows. What it costs in memory is bounded too.
func fuzzCost(_ input: FuzzInput) {
    let bytes = input.bytes
    guard let choice = bytes.first, bytes.count > 1 else { return }
    let door = Door.allCases[Int(choice) % Door.allCases.count]
    let unit = bytes.dropFirst()
    let text = Array(repeatElement(unit, count: max(door.byteCount / unit.count, 1)).joined())
    var cost = 0.0
    let growth = PeakMemory.growth { cost = ProcessorTime.least(of: 1) { door.enter(text) } }
    Law.require(
        growth <= Door.negligibleByteCount + Door.memoryLimit * text.count,
        "\(door): \(text.count) bytes take \(growth) bytes of memory"
    )
    // A lower cost is harmless, for any cost of plain text.
    guard cost > Door.negligible, ProcessorTime.least({ door.enter(text) }) > Door.negligible else { return }
    let plain = [UInt8](repeating: UInt8(ascii: "a"), count: text.count)
    let ratio = CostRatio {
        door.enter(text)
    } over: {
        door.enter(plain)
    }
    // Beside plain text that takes next to nothing, each ratio is large.
    Law.require(
        ratio.isWithinLimit || ratio.cost <= Door.negligible,
        "\(door): \(text.count) bytes take \(ratio)"
    )
}
