import Foundation

/// One thing that must hold whatever the input.
enum Law {
    /// Ends the run if a law does not hold; libFuzzer then keeps the input.
    static func require(_ holds: Bool, _ broken: @autoclosure () -> String) {
        guard !holds else { return }
        FileHandle.standardError.write(Data("\nfuzz: a law is broken: \(broken())\n".utf8))
        abort()
    }

    /// Returns what must be there.
    static func require<Value>(_ value: Value?, _ broken: @autoclosure () -> String) -> Value {
        guard let value else {
            FileHandle.standardError.write(Data("\nfuzz: a law is broken: \(broken())\n".utf8))
            abort()
        }
        return value
    }
}
