"""The components of the binary and of the engine for apps, with their versions and licences, as the build itself shows them."""

import dataclasses
import json
import pathlib
import re
import subprocess

LICENSES = pathlib.Path(__file__).parent / "licenses"
APACHE = LICENSES.parents[2] / "LICENSE"


class UnknownComponent(Exception):
    """Something is linked of which no version or licence is known, so that no list would be whole."""


@dataclasses.dataclass(frozen=True)
class Component:
    """Software within the binary, or beside it in an image."""

    name: str
    version: str
    # An expression of SPDX; `NOASSERTION` where only the copyright file of a Debian package says it.
    license: str
    # The place of its source, and its name for scanners.
    url: str
    purl: str = ""
    texts: tuple[str, ...] = ()
    relation: str = "STATIC_LINK"


def linked(checkout, build, toolchain):
    """All components of the binary of a build folder: packages, the software they contain, Swift, Debian's libraries."""
    pins = {pin["identity"]: pin for pin in json.loads((checkout / "Package.resolved").read_text())["pins"]}
    modules = linked_modules(build, pathlib.Path(checkout).resolve())
    found, folders = {}, {folder.name.lower(): folder for folder in (build.parents[1] / "checkouts").iterdir()}
    for module in sorted(modules):
        if not any((checkout / "Sources").glob(f"*/{module}")):
            found.setdefault(owner(module, build, folders), []).append(module)
    components = [package(pins[name], folders[name]) for name in found]
    for name in found:
        components += contained(folders[name], found[name])
    return sorted(components + swift(toolchain) + debian_static(), key=lambda one: (one.name, one.version, one.url))


def linked_modules(build, checkout):
    """The modules whose object files the linker was given."""
    listing = build / "waymark.product/Objects.LinkFileList"
    return set(re.findall(r"/([^/\n]+)\.build/", listing.read_text().replace(str(checkout), "")))


def owner(module, build, folders):
    """The package of a linked module: the one that its listed sources are in; C's have no list, but a folder each."""
    listing = build / f"{module}.build/sources"
    named = set(re.findall(r"/checkouts/([^/]+)/", listing.read_text())) if listing.is_file() else {
        folder.name for folder in folders.values() if (folder / "Sources" / module).is_dir()}
    if len(named) != 1:
        raise UnknownComponent(f"the module {module} is linked, and belongs to {sorted(named) or 'no package'}")
    return named.pop().lower()


def package(pin, folder):
    """A Swift package: its version as it was resolved, its licence and notice as its checkout has them."""
    texts = [file for pattern in ("LICENSE*", "NOTICE*") for file in sorted(folder.glob(pattern))]
    url = pin["location"].removesuffix(".git")
    return Component(
        name=pin["identity"], version=pin["state"]["version"], license=identifier(texts[0].read_text(), folder.name),
        url=url, purl=f"pkg:swift/{url.removeprefix('https://')}@{pin['state']['version']}",
        texts=tuple(text.read_text() for text in texts))


def identifier(text, name):
    """The name that SPDX gives to a licence, by its text."""
    if "Apache License" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise UnknownComponent(f"the licence of {name} is none that is known here")


def contained(folder, modules):
    """The software of others in a package's own source."""
    for module in modules:
        source = folder / "Sources" / module
        if "BoringSSL" in module and (source / "hash.txt").is_file():
            revision = (source / "hash.txt").read_text().split()[-1]
            url = "https://boringssl.googlesource.com/boringssl"
            yield Component(
                f"boringssl ({folder.name})", revision, "Apache-2.0", url, f"pkg:generic/boringssl@{revision}",
                (APACHE.read_text(),))
        elif module == "CNIOLLHTTP":
            header = (source / "include/c_nio_llhttp.h").read_text()
            version = ".".join(re.search(rf"LLHTTP_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
            yield Component(
                "llhttp", version, "MIT", "https://github.com/nodejs/llhttp", f"pkg:github/nodejs/llhttp@v{version}",
                ((source / "LICENSE").read_text(),))
        elif module == "CYaml":
            yield Component(
                "libyaml", "0.2.5", "MIT", "https://github.com/yaml/libyaml", "pkg:github/yaml/libyaml@0.2.5",
                ((LICENSES / "libyaml-MIT.txt").read_text(),))
        elif module == "CXKCP":
            yield Component(
                "XKCP", "as in " + folder.name, "CC0-1.0", "https://github.com/XKCP/XKCP", "pkg:github/XKCP/XKCP",
                ("To the extent possible under law, the implementer has waived all copyright and related or neighboring\n"
                 "rights to the source code. https://creativecommons.org/publicdomain/zero/1.0/\n",))


def swift(toolchain):
    """The libraries of Swift, and ICU within its Foundation."""
    said = subprocess.run([toolchain / "usr/bin/swift", "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", said)[1]
    header = (toolchain / "usr/lib/swift/_foundation_unicode/uvernum.h").read_text()
    unicode = re.search(r'U_ICU_VERSION "([0-9.]+)"', header)[1]
    return [
        Component(
            "swift", version, "Apache-2.0 WITH Swift-exception", "https://github.com/swiftlang/swift",
            f"pkg:swift/github.com/swiftlang/swift@{version}", ((toolchain / "usr/share/swift/LICENSE.txt").read_text(),)),
        Component(
            "icu", unicode, "Unicode-3.0", "https://github.com/swiftlang/swift-foundation-icu",
            f"pkg:github/unicode-org/icu@release-{unicode.replace('.', '-')}", ((LICENSES / "Unicode-3.0.txt").read_text(),)),
    ]


def debian_static():
    """The libraries of Debian that are linked statically."""
    version = debian_version("libqrcodegen-dev")
    text = pathlib.Path("/usr/share/doc/libqrcodegen-dev/copyright").read_text()
    return [Component(
        "libqrcodegen", version, "MIT", "https://github.com/nayuki/QR-Code-generator",
        f"pkg:deb/debian/libqrcodegen@{version}", (text,))]


def debian_version(package):
    """The version of a package of Debian that is installed."""
    return subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}", package], check=True, capture_output=True, text=True).stdout


def engine(toolchain):
    """The components of each file of the engine for apps, by its name."""
    library = swift(toolchain)[0]
    arithmetic = contained_by_engine(
        "compiler-rt", "as in Runtime/library.c", "Apache-2.0 WITH LLVM-exception", "https://github.com/llvm/llvm-project",
        APACHE, LICENSES / "LLVM-exception.txt")
    module = [library, arithmetic]
    runtime = contained_by_engine(
        "wabt", debian_version("wabt"), "Apache-2.0", "https://github.com/WebAssembly/wabt", APACHE)
    compiler = contained_by_engine(
        "binaryen", debian_version("binaryen"), "Apache-2.0", "https://github.com/WebAssembly/binaryen", APACHE)
    # The arithmetic of 64 bits that wasm2js puts into its output.
    integers = contained_by_engine(
        "compiler-builtins", f"as in binaryen {compiler.version}", "MIT", "https://github.com/rust-lang/compiler-builtins",
        LICENSES / "compiler-builtins-MIT.txt")
    return {
        "waymark-engine.wasm": module, "waymark-engine.js": [*module, compiler, integers],
        "waymark_engine.c": [*module, runtime], "waymark_engine.h": [runtime]}


def contained_by_engine(name, version, identifier, url, *texts):
    """Software of which the engine's files have a part of the source or of the output."""
    purl = f"pkg:deb/debian/{name}@{version}" if name in ("wabt", "binaryen") else ""
    return Component(name, version, identifier, url, purl, tuple(text.read_text() for text in texts), "CONTAINS")
