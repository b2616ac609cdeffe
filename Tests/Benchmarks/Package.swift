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

/// Links as the service is linked, since that is what is measured.
let staticLinking = [
    "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
    "-l_FoundationCollections", "-lswiftSynchronization",
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
            linkerSettings: [.unsafeFlags(staticLinking, .when(platforms: [.linux], configuration: .release))]
        ),
        .target(name: "ThreadCounters", cSettings: [.treatAllWarnings(as: .error)]),
    ],
    cLanguageStandard: .gnu2x
)
