"""The version before: its commit, and its program, built in a folder of its own."""

import pathlib
import shutil
import subprocess

import waymark

FOLDER = waymark.CHECKOUT / ".build-upgrade"
RELEASE = waymark.CHECKOUT / "Tests/Compatibility/release.txt"
SCHEMA = ":(glob)**/DeepLinkSQLite/**"


def git(*words):
    return subprocess.run(["git", *words], cwd=waymark.CHECKOUT, check=True, capture_output=True, text=True).stdout


def step_count(commit):
    """How many steps the schema of a commit has; each is registered by its name."""
    run = subprocess.run(["git", "grep", "-hoF", "registerMigration(", commit, "--", SCHEMA],
                         cwd=waymark.CHECKOUT, capture_output=True, text=True)
    return len(run.stdout.split())


def commit():
    """The last release, if its schema is an earlier one; else the newest commit whose schema is."""
    present = step_count("HEAD")
    release = [line for line in RELEASE.read_text().splitlines() if not line.startswith("#")]
    for one in release + git("rev-list", "HEAD", "--", SCHEMA).split():
        if 0 < step_count(one) < present:
            return git("rev-parse", one + "^{commit}").strip()
    raise SystemExit("upgrade: no commit has an earlier schema; name a program by --before")


def program(revision=None):
    """Builds the program of a commit, once, and returns its path."""
    wanted = git("rev-parse", revision + "^{commit}").strip() if revision else commit()
    kept = FOLDER / f"waymark-{wanted[:12]}"
    if kept.exists():
        return kept
    source = FOLDER / "source"
    print(f"upgrade: building {git('log', '-1', '--format=%h of %cs, %s', wanted).strip()}; this takes minutes", flush=True)
    # The folder stays, so that the next commit's build compiles what differs.
    source.mkdir(parents=True, exist_ok=True)
    for one in source.iterdir():
        if one.name != ".build":
            shutil.rmtree(one) if one.is_dir() else one.unlink()
    archive = subprocess.Popen(["git", "archive", wanted], cwd=waymark.CHECKOUT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-m", "-C", source], stdin=archive.stdout, check=True)
    if archive.wait():
        raise SystemExit("upgrade: git archive failed")
    resolved = waymark.CHECKOUT / "Package.resolved"
    if resolved.exists():
        shutil.copy(resolved, source)
    build = ["swift", "build", "-c", "release", "--product", "waymark"]
    subprocess.run(build, cwd=source, check=True)
    folder = subprocess.run([*build, "--show-bin-path"], cwd=source, check=True, capture_output=True, text=True).stdout
    partial = kept.with_suffix(".partial")
    shutil.copy(pathlib.Path(folder.strip()) / "waymark", partial)
    partial.rename(kept)
    return kept
