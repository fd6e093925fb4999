"""Trains the digits sample and writes ``digits.onnx`` and ``heldout.npz`` beside itself.

    pip install torch==2.13.0 onnx onnxscript scikit-learn numpy
    python train.py

Data: scikit-learn's copy of the UCI optical digits (1,797 images of 8 x 8 pixels, values 0 to 16),
split 80 : 20 by a fixed seed. The accuracy that it prints is the one in README.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

SEED = 7
EPOCHS = 40
HERE = Path(__file__).parent


class Block(nn.Module):
    """Convolution, batch normalization, ReLU."""

    def __init__(self, channels_in: int, channels_out: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels_out)
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.relu(self.norm(self.conv(x)))


class Digits(nn.Module):
    """A small CNN: 8 x 8 pixels in, ten logits out."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = Block(1, 32)
        self.stage1 = nn.Sequential(Block(32, 64), Block(64, 64))
        self.pool = nn.MaxPool2d(2, 2)
        self.stage2 = nn.Sequential(Block(64, 96), Block(96, 96))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(96 * 4 * 4, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = self.stem(image)
        x = self.pool(self.stage1(x))
        return self.head(self.stage2(x))


def main() -> None:
    torch.manual_seed(SEED)
    torch.use_deterministic_algorithms(mode=True)
    torch.set_num_threads(1)
    images, labels = load_digits(return_X_y=True)
    images = (images.reshape(-1, 1, 8, 8) / 16.0).astype(np.float32)
    train_x, test_x, train_y, test_y = train_test_split(
        images, labels, test_size=0.2, random_state=SEED, stratify=labels
    )
    model = Digits()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    x, y = torch.from_numpy(train_x), torch.from_numpy(train_y)
    for _ in range(EPOCHS):
        model.train()
        for batch in torch.randperm(len(x)).split(64):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[batch]), y[batch]).backward()
            optimizer.step()
        schedule.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(torch.from_numpy(test_x)).argmax(1).numpy() == test_y).mean()
    parameters = sum(t.numel() for t in model.state_dict().values() if t.is_floating_point())  # as the ONNX file has
    print(f"{parameters} parameters, held-out accuracy {accuracy:.4f} of {len(test_y)} images")
    torch.onnx.export(
        model,
        (torch.zeros(1, 1, 8, 8),),
        str(HERE / "digits.onnx"),
        input_names=["image"],
        output_names=["logits"],
        dynamic_axes={"image": {0: "N"}, "logits": {0: "N"}},
        opset_version=17,
        dynamo=False,
        do_constant_folding=False,
        training=torch.onnx.TrainingMode.PRESERVE,
    )
    onnx.checker.check_model(str(HERE / "digits.onnx"), full_check=True)
    np.savez_compressed(HERE / "heldout.npz", image=test_x, label=test_y.astype(np.int32))


if __name__ == "__main__":
    main()
