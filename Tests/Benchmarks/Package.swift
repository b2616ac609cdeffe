// swift-tools-version:6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// `scripts/bench` builds and runs this, beside the measurements over HTTP in Serving.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "waymark", path: "../..")],
    targets: [
        .executableTarget(
            name: "benchmarks",
            dependencies: ["ThreadCounters", .product(name: "DeepLinkCore", package: "waymark")],
            swiftSettings: settings,
            // As the service is linked.
            linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))]
        ),
        .target(name: "ThreadCounters", cSettings: [.treatAllWarnings(as: .error)]),
    ],
    cLanguageStandard: .gnu2x
)
