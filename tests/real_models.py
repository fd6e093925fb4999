"""Models in public use, taken from pinned packages: ``python -m tests.real_models`` fetches them.

They lie in ``.models/`` of the repository, or in the folder that WORKBENCH_TEST_MODELS names.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

FOLDER_VARIABLE = "WORKBENCH_TEST_MODELS"


@dataclass(frozen=True, slots=True)
class RealModel:
    """A file inside a package. ``sdist``: the package has no wheel."""

    name: str
    package: str
    version: str
    member: str
    sha256: str
    sdist: bool = False

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"

    @property
    def file(self) -> Path:
        return models_folder() / f"{self.name}.onnx"

    @property
    def is_there(self) -> bool:
        return self.file.is_file() and hashlib.sha256(self.file.read_bytes()).hexdigest() == self.sha256


_RAPIDOCR = ("rapidocr-onnxruntime", "1.4.4")
_SILERO = ("silero-vad", "6.2.3")

MODELS = (
    RealModel(
        "ppocr_det",
        *_RAPIDOCR,
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
        "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
    ),
    RealModel(
        "ppocr_rec",
        *_RAPIDOCR,
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx",
        "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
    ),
    RealModel(
        "ppocr_cls",
        *_RAPIDOCR,
        "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
        "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
    ),
    RealModel(
        "silero_vad",
        *_SILERO,
        "silero_vad/data/silero_vad.onnx",
        "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
    ),
    RealModel(
        "silero_vad_16k_sequence",
        *_SILERO,
        "silero_vad/data/silero_vad_16k_sequence.onnx",
        "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
    ),
    RealModel(
        "basic_pitch",
        "basic-pitch",
        "0.4.0",
        "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        "2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec",
    ),
    RealModel(
        "magika",
        "magika",
        "1.0.3",
        "magika/models/standard_v3_3/model.onnx",
        "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c",
    ),
    RealModel(
        "ddddocr_old",
        "ddddocr-basic",
        "1.5.6.post3",
        "ddddocr_basic-1.5.6.post3/ddddocr/common_old.onnx",
        "b8f2ad9cbc1f2e3922a6cb9459e30824e7e2467f3fb4fd61420640e34ea0bf68",
        sdist=True,
    ),
)
BY_NAME = {model.name: model for model in MODELS}


def models_folder() -> Path:
    return Path(os.environ.get(FOLDER_VARIABLE) or Path(__file__).parents[1] / ".models")


def real_model(name: str) -> Path:
    """The file of the model ``name``; an error that says how to get it where it was not fetched."""
    model = BY_NAME[name]
    if not model.is_there:
        raise FileNotFoundError(f"{model.file} is missing or another: run make setup, or python -m tests.real_models")
    return model.file


def fetch_all() -> None:
    """Fetch what is missing, each package once. Raises where a package or its content is not the pinned one."""
    missing = [model for model in MODELS if not model.is_there]
    models_folder().mkdir(parents=True, exist_ok=True)
    for requirement in dict.fromkeys(model.requirement for model in missing):
        wanted = [model for model in missing if model.requirement == requirement]
        with tempfile.TemporaryDirectory() as folder:
            archive = _download(wanted[0], Path(folder))
            for model in wanted:
                _keep(model, _member(archive, model.member))
                print(f"{model.file.name}: {model.requirement}")


def _download(model: RealModel, folder: Path) -> Path:
    kind = ["--no-binary", model.package] if model.sdist else ["--only-binary", ":all:"]
    # Only the model is taken from it: rapidocr-onnxruntime 1.4.4 says that it needs a Python below 3.13.
    options = ["--quiet", "--no-deps", "--ignore-requires-python"]
    argv = [sys.executable, "-m", "pip", "download", *options, *kind, "--dest", str(folder)]
    subprocess.run([*argv, model.requirement], check=True)
    (archive,) = folder.iterdir()
    return archive


def _member(archive: Path, member: str) -> bytes:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(member)
    with tarfile.open(archive) as sdist:
        stream = sdist.extractfile(member)
        if stream is None:
            raise ValueError(f"{archive.name} has no file {member}")
        return stream.read()


def _keep(model: RealModel, content: bytes) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != model.sha256:
        raise ValueError(f"{model.requirement}: {model.member} is {found}, not {model.sha256}")
    part = model.file.with_suffix(".part")
    part.write_bytes(content)
    part.replace(model.file)


if __name__ == "__main__":
    fetch_all()
