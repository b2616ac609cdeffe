"""The engine for apps outside Swift: one module of WebAssembly, and the same as plain JavaScript and as C.

It is compiled by the installed toolchain in Embedded Swift, from the sources of the server, without a build of the server.
Everything happens in a folder that is new: the same sources, toolchain and Debian packages give the same bytes.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile

# The programs that make a form of the module, each with the package of Debian that has it.
OPTIMIZER = ("wasm-opt", "binaryen")
TOOLS = {"wasm": (OPTIMIZER,), "js": (OPTIMIZER, ("wasm2js", "binaryen")), "c": (OPTIMIZER, ("wasm2c", "wabt"))}

# The forms of the engine.
FORMS = ("wasm", "js", "c")

# The modules in the order of their imports, with the folders that the engine leaves out: what reads YAML and files.
MODULES = {"DeepLinkCore": (), "DeepLinkFormats": (), "DeepLinkCatalog": ("YAML", "Reloading"), "WaymarkEngine": ()}

SWIFT = ("-target", "wasm32-unknown-none-wasm", "-enable-experimental-feature", "Embedded", "-wmo", "-Osize", "-swift-version", "6",
         "-parse-as-library", "-package-name", "waymark", "-warnings-as-errors", "-enable-upcoming-feature", "ExistentialAny",
         "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
         # wasm2js has no 64-bit form of these conversions, and nothing checks canaries in a stack without return addresses.
         "-Xcc", "-mno-nontrapping-fptoint", "-Xfrontend", "-disable-stack-protector")
C = ("--target=wasm32-unknown-unknown", "-std=c23", "-ffreestanding", "-Oz", "-mbulk-memory", "-mbulk-memory-opt", "-Wall", "-Wextra", "-Werror")

# The features of WebAssembly that Swift's compiler uses beyond the first version. Every engine and tool knows them.
FEATURES = ("--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals")

# The tables of characters that Swift's library reads where texts are compared or printed as characters.
TABLES = "lib/swift/embedded/wasm32-unknown-none-wasm/libswiftUnicodeDataTables.a"

# The stack, which lies below everything else, so that one that overflows traps.
STACK_SIZE = 1024 * 1024

# The largest memory. The sample's catalog takes less than two megabytes, one of 10,000 routes less than a hundred.
MEMORY_SIZE = 512 * 1024 * 1024

# The calls that the C nests at most, where there is no signal that tells of the end of the stack.
CALL_DEPTH = 2000

LARGEST = {"waymark-engine.wasm": 700 * 1024, "waymark-engine.js": 1536 * 1024}


class Failure(Exception):
    """A step that failed, or a file that is too large."""


def run(*command):
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{pathlib.Path(command[0]).name} failed:\n{(done.stderr or done.stdout).strip()}")
    return done.stdout


def missing(forms):
    """The packages of Debian that some forms need and that are not there."""
    return sorted({package for form in forms for tool, package in TOOLS[form] if not shutil.which(tool)})


def toolchain():
    """The folder of the toolchain's programs, where clang and wasm-ld stand beside the compiler."""
    swift = shutil.which("swiftc")
    if not swift:
        raise Failure("there is no swiftc")
    return pathlib.Path(swift).resolve().parent


def module(checkout, work):
    """Compiles and links the module of WebAssembly in a folder, and returns its file.

    The compiler knows all of the imported modules, so that only the last one has code.
    """
    tools, engine = toolchain(), checkout / "Sources/Engine"
    for name, left_out in MODULES.items():
        sources = sorted(
            file for file in (engine / name).rglob("*.swift") if not set(left_out) & set(file.relative_to(engine / name).parts))
        made = (("-c", "-o", work / "engine.o") if name == "WaymarkEngine"
                else ("-emit-module", "-emit-module-path", work / f"{name}.swiftmodule"))
        run(tools / "swiftc", *SWIFT, "-file-prefix-map", f"{checkout}=.", "-I", work, "-module-name", name, *made, *sources)
    objects = [work / "engine.o"]
    for source in sorted((engine / "WaymarkEngine/Runtime").glob("*.c")):
        objects.append(work / f"{source.stem}-c.o")
        run(tools / "clang", *C, "-c", source, "-o", objects[-1])
    linked, wasm = work / "linked.wasm", work / "waymark-engine.wasm"
    run(tools / "wasm-ld", "--no-entry", "--gc-sections", "--strip-all", "--stack-first", "-z", f"stack-size={STACK_SIZE}",
        f"--max-memory={MEMORY_SIZE}",
        "-o", linked, *objects, tools.parent / TABLES)
    linked.write_bytes(without_hash(linked.read_bytes(), objects[0].read_bytes()))
    # A sixth of the bytes: the compiler knows less of WebAssembly than this program.
    run("wasm-opt", *FEATURES, "-Oz", linked, "-o", wasm)
    return wasm


def without_hash(module, code):
    """The module with zeros in the place of the compiler's hash of its own input, which differs from folder to folder.

    The hash is the last segment of data, and nothing reads it.
    """
    digest = module[-16:]
    if module[-17] != len(digest) or code.count(digest) != 1:
        raise Failure("the module does not end with the compiler's hash of its input")
    return module[:-16] + bytes(16)


def javascript(wasm, work):
    """The module as a module of JavaScript that exports the functions, and `instantiate`, which makes it anew after a trap."""
    file = work / "waymark-engine.js"
    run("wasm2js", *FEATURES, "-O", wasm, "-o", file)
    return instantiable(file.read_text()).encode()


def instantiable(text):
    """The text of wasm2js, with its one call that makes the functions in an exported function."""
    made, count = re.subn(r"var retasmFunc = (asmFunc\(.*?\}\);)\n",
                          r"export function instantiate() { return \1 }\nvar retasmFunc = instantiate();\n", text, flags=re.DOTALL)
    # wasm2js drops the largest memory, and says that memory has grown where it has not.
    made, grown = re.subn(r"if \(\(oldPages < newPages\) && \(newPages < 65536\)\) \{",
                          f"if (newPages < oldPages || newPages > {MEMORY_SIZE >> 16}) return -1;\n  if (oldPages < newPages) {{", made)
    if (count, grown) != (1, 1):
        raise Failure("wasm2js has written another form of module")
    return made


def c(wasm, work):
    """The module as a source of C and its header, with the runtime of wabt in both."""
    run("wasm2c", "--module-name=waymark_engine", wasm, "-o", work / "waymark_engine.c")
    runtime = pathlib.Path("/usr/share/wabt/wasm2c")
    text = {name: file.read_text() for name, file in {
        "rt.h": pathlib.Path("/usr/include/wasm-rt.h"), "impl.h": runtime / "wasm-rt-impl.h", "impl.c": runtime / "wasm-rt-impl.c",
        "engine.h": work / "waymark_engine.h", "engine.c": work / "waymark_engine.c"}.items()}
    # One header and one source: what includes a part of them is left out.
    ours = re.compile(r'^#include "(wasm-rt|wasm-rt-impl|waymark_engine)\.h"\n', re.MULTILINE)
    settings = ("// Checks of memory without signals, so that nothing of the host's process changes.\n"
                "#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 0\n"
                f"#ifndef WASM_RT_MAX_CALL_STACK_DEPTH\n#define WASM_RT_MAX_CALL_STACK_DEPTH {CALL_DEPTH}\n#endif\n")
    header = settings + "".join(ours.sub("", text[name]) for name in ("rt.h", "impl.h", "engine.h"))
    source = '#include "waymark_engine.h"\n' + "".join(ours.sub("", text[name]) for name in ("impl.c", "engine.c"))
    return source.encode(), header.encode()


def files(checkout, forms=FORMS):
    """The files of some forms by their names."""
    checkout = pathlib.Path(checkout).resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        wasm = module(checkout, work)
        made = {}
        if "wasm" in forms:
            made["waymark-engine.wasm"] = wasm.read_bytes()
        if "js" in forms:
            made["waymark-engine.js"] = javascript(wasm, work)
        if "c" in forms:
            made["waymark_engine.c"], made["waymark_engine.h"] = c(wasm, work)
        return made
