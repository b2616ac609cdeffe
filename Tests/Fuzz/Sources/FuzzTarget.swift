import Foundation

/// A target of the fuzzer, named by the variable `FUZZ_TARGET`; `scripts/fuzz --help` says what each reads.
enum FuzzTarget: String {
    case link, catalog, json, token, cost

    /// The target of this process; without one, the process ends.
    static let chosen = Law.require(
        ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(FuzzTarget.init(rawValue:)),
        "FUZZ_TARGET names no target"
    )

    /// Tries an input.
    func run(_ input: FuzzInput) {
        switch self {
        case .link: fuzzLink(input)
        case .catalog: fuzzCatalog(input)
        case .json: fuzzJSON(input)
        case .token: fuzzToken(input)
        case .cost: fuzzCost(input)
        }
    }
}

/// The function that libFuzzer, whose `main` the program has, calls for each input.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    FuzzTarget.chosen.run(FuzzInput(start, count))
    return 0
}
