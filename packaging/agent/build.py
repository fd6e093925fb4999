"""Build the program that runs on the phone.

    python packaging/agent/build.py            the shipped binary, into resources/agent/linux-x86_64
    python packaging/agent/build.py --check    build elsewhere and compare with the shipped one
    python packaging/agent/build.py --target aarch64 --engine ENGINE.so --out FOLDER

Only g++ and binutils are needed. The agent links MNN's engine library out of the PyPI wheel under
the neutral name ``libmnnengine.so``, so the engine of every Python's wheel fits. The engine wants
69 symbols of the Python interpreter, none of which it calls here: ``libpystub.so`` holds them.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "workbench" / "agent"
SHIPPED = ROOT / "resources" / "agent"
SCHEMA = "workbench.agent-build/1"

COMPILE = (
    "-std=c++17",
    "-Os",
    "-ffunction-sections",
    "-fPIE",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-D_GLIBCXX_USE_CXX11_ABI=0",  # the ABI of the wheels (manylinux2014)
    "-frandom-seed=workbench",
)
LINK = (
    "-pie",
    "-s",
    "-Wl,--build-id=none",
    "-Wl,--gc-sections",
    "-Wl,-z,now",  # a symbol that the engine lacks stops the start, not a run
    "-Wl,--unresolved-symbols=ignore-in-shared-libs",
    "-Wl,--disable-new-dtags",  # RPATH, not RUNPATH: it holds for the engine's own needs (libgomp) too
    "-Wl,-rpath,$ORIGIN",
    "-lmnnengine",
    "-lpthread",
    "-Wl,--no-as-needed",
    "-lpystub",
)


@dataclass(frozen=True, slots=True)
class Target:
    """``folder``: name in resources/agent. ``prefix``: of the cross tools."""

    folder: str
    prefix: str
    link: tuple[str, ...] = ()


TARGETS = {
    "x86_64": Target("linux-x86_64", ""),
    # Phones with 16 KiB pages load only what is aligned to them; 64 KiB is arm64 Linux's largest.
    "aarch64": Target("linux-aarch64", "aarch64-linux-gnu-", ("-Wl,-z,max-page-size=65536",)),
}


@dataclass(frozen=True, slots=True)
class Build:
    """What went into a build and what came out: two builds with equal inputs are equal byte for byte."""

    schema: str
    compiler: str
    linker: str
    glibc: str
    engine_version: str
    engine_sha256: str
    source_sha256: str
    files: dict[str, str]

    @property
    def inputs(self) -> tuple[str, ...]:
        return (self.compiler, self.linker, self.glibc, self.engine_sha256, self.source_sha256)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def installed_engine() -> Path:
    """The engine library of the installed mnn wheel; the module is found, never imported."""
    spec = importlib.util.find_spec("_mnncengine")
    if spec is None or spec.origin is None:
        sys.exit("The mnn wheel is not installed here: make setup")
    return Path(spec.origin)


def source_files() -> list[Path]:
    return sorted(path for path in SOURCES.iterdir() if path.suffix in (".cc", ".h"))


def source_sha256(target: Target) -> str:
    """Over names, texts and flags: the agent's id in its first event."""
    total = hashlib.sha256(repr((COMPILE, LINK, target.link)).encode())
    for path in source_files():
        total.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def run(argv: list[str], **options: object) -> str:
    done = subprocess.run(argv, check=False, text=True, stdout=subprocess.PIPE, **options)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"{argv[0]} failed with code {done.returncode}")
    return str(done.stdout)


def first_line(argv: list[str]) -> str:
    return run(argv, env=_environment()).splitlines()[0]


def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}


def glibc_version(target: Target) -> str:
    macros = run([f"{target.prefix}g++", "-dM", "-E", "-x", "c++", "-include", "features.h", os.devnull])
    found = dict(line.split(" ", 2)[1:] for line in macros.splitlines() if "__GLIBC" in line and line.count(" ") > 1)
    return f"{found['__GLIBC__']}.{found['__GLIBC_MINOR__']}"


def python_symbols(engine: Path, target: Target) -> list[str]:
    """Names of the interpreter's symbols that the engine leaves undefined."""
    listing = run([f"{target.prefix}nm", "-D", "--undefined-only", str(engine)])
    names = {line.split()[-1].split("@")[0] for line in listing.splitlines()}
    return sorted(name for name in names if name.lstrip("_").startswith("Py"))


def build(target: Target, engine: Path, engine_version: str, out: Path) -> Build:
    """Compile into ``out``: agent, libpystub.so and build.json."""
    compiler = f"{target.prefix}g++"
    out.mkdir(parents=True, exist_ok=True)
    source_id = source_sha256(target)
    with tempfile.TemporaryDirectory(prefix="workbench-agent-") as name:
        scratch = Path(name)
        (scratch / "libmnnengine.so").symlink_to(engine.resolve())
        stub = "".join(f"char {symbol}[1024];\n" for symbol in python_symbols(engine, target))
        (scratch / "pystub.c").write_text(stub)
        link = ["-s", "-Wl,--build-id=none", *target.link]
        shared = ["-shared", "-fPIC", "-x", "c", "pystub.c", "-o", "libpystub.so", "-Wl,-soname,libpystub.so"]
        run([compiler, *shared, "-nostdlib", *link], cwd=scratch, env=_environment())
        # One unit of all sources: a third of the time, and a smaller program.
        units = [path.name for path in source_files() if path.suffix == ".cc"]
        (scratch / "agent.cc").write_text("".join(f'#include "{unit}"\n' for unit in units))
        argv = [compiler, *COMPILE, f'-DWORKBENCH_AGENT_ID="{source_id[:12]}"', f"-I{SOURCES}", "agent.cc"]
        run([*argv, "-o", "agent", "-L.", *LINK, *target.link], cwd=scratch, env=_environment())
        for file in ("agent", "libpystub.so"):
            shutil.copyfile(scratch / file, out / file)
    (out / "agent").chmod(0o755)
    result = Build(
        schema=SCHEMA,
        compiler=first_line([compiler, "--version"]),
        linker=first_line([f"{target.prefix}ld", "--version"]),
        glibc=glibc_version(target),
        engine_version=engine_version,
        engine_sha256=sha256(engine),
        source_sha256=source_id,
        files={file: sha256(out / file) for file in ("agent", "libpystub.so")},
    )
    (out / "build.json").write_text(json.dumps(asdict(result), indent=2) + "\n")
    return result


def check(target: Target, built: Build) -> int:
    """Compare a build with the shipped one; 1 where equal inputs gave another output or the sources moved on."""
    shipped = Build(**json.loads((SHIPPED / target.folder / "build.json").read_text()))
    comparable = shipped.inputs == built.inputs
    equal = shipped.files == built.files
    current = shipped.source_sha256 == built.source_sha256
    print(json.dumps({"comparable": comparable, "equal": equal, "current": current}))
    return 0 if current and (equal or not comparable) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the program that runs on the phone.")
    parser.add_argument("--target", choices=sorted(TARGETS), default="x86_64")
    parser.add_argument("--engine", type=Path, help="engine library; by default that of the installed mnn wheel")
    parser.add_argument("--out", type=Path, help="folder to build into; by default the one that is shipped")
    parser.add_argument("--check", action="store_true", help="compare with the shipped binary instead of replacing it")
    options = parser.parse_args()
    target = TARGETS[options.target]
    engine = options.engine or installed_engine()
    version = importlib.metadata.version("mnn")
    if options.check:
        with tempfile.TemporaryDirectory(prefix="workbench-agent-") as name:
            return check(target, build(target, engine, version, options.out or Path(name)))
    built = build(target, engine, version, options.out or SHIPPED / target.folder)
    print(json.dumps(asdict(built), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
