#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what a machine reaches: matmuls and attention of a model's shapes, a copy in memory,
kernel launches, an AllReduce where there are several devices, and a training step of a small model.

It needs PyTorch alone and takes about two minutes on a GPU:

    python3 measure.py                            shapes of Llama 3.1 8B
    python3 measure.py --hidden 8192 --heads 64   other shapes
    torchrun --nproc_per_node 8 measure.py        where processes are started for it

It prints one line of JSON, which the calculator takes under "Your measured run". Progress goes to
stderr, nothing is sent anywhere. shared/machine.schema.json in the repository describes the line.
"""

import argparse
import json
import math
import os
import statistics
import sys
import tempfile
import time

VERSION = 1

# Name, smallest and largest value, and the values on a GPU (Llama 3.1 8B) and on a CPU.
SIZES = (
    ("hidden", 64, 65536, 4096, 256),
    ("feed-forward", 64, 262144, 14336, 512),
    ("heads", 1, 1024, 32, 4),
    ("kv-heads", 1, 1024, 8, 2),
    ("head-dim", 8, 1024, 128, 64),
    ("vocabulary", 256, 1048576, 128256, 1024),
    ("tokens", 128, 65536, 4096, 256),
)
DECODED = 32  # rows of the matmuls of a decode step
SEQUENCE = 2048  # the longest sequence of attention and of a step
STEP_TOKENS = 4096  # most of a step
LAYERS = 4
STEP_VOCABULARY = 32000
RANK = 16
# Bytes of a parameter that is trained: fp32 weight, gradient, two moments, and the copy in 16 bits.
TRAINED_BYTES = 18
SECONDS = 0.4  # spent on a measurement


# ---- what needs no PyTorch


def parse(arguments):
    """The arguments as a dictionary; sizes that are not given are None."""

    def whole(name, least, most):
        def read(text):
            try:
                value = int(text)
            except ValueError:
                value = None
            if value is None or not least <= value <= most:
                raise argparse.ArgumentTypeError(
                    f"{name} must be a whole number from {least} to {most}, not {text!r}"
                )
            return value

        return read

    def seconds(text):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0.001 <= value <= 60:
            raise argparse.ArgumentTypeError(
                f"seconds must be a number from 0.001 to 60, not {text!r}"
            )
        return value

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, least, most, gpu, _ in SIZES:
        parser.add_argument(
            f"--{name}", type=whole(name, least, most), help=f"{gpu} on a GPU if left out"
        )
    parser.add_argument("--device", choices=("cuda", "cpu"), help="cuda where there is one")
    parser.add_argument(
        "--devices", type=whole("devices", 1, 64), help="of the AllReduce; all GPUs if left out"
    )
    parser.add_argument(
        "--seconds", type=seconds, default=SECONDS, help="spent on each measurement"
    )
    given = vars(parser.parse_args(arguments))
    if given["heads"] and given["kv_heads"] and given["heads"] % given["kv_heads"]:
        parser.error(f"kv-heads must divide heads: {given['heads']} is no multiple of it")
    if given["head_dim"] and given["head_dim"] % 2:
        parser.error("head-dim must be even: positions rotate pairs of numbers")
    return given


def sizes_of(given, kind):
    """The sizes to measure, with those of the kind of device where none are given."""
    sizes = {}
    for name, _, _, gpu, cpu in SIZES:
        key = name.replace("-", "_")
        sizes[key] = given[key] or (cpu if kind == "cpu" else gpu)
    if sizes["heads"] % sizes["kv_heads"]:
        sizes["kv_heads"] = math.gcd(sizes["heads"], sizes["kv_heads"])
    return sizes


def matmuls_of(sizes, memory):
    """The matmuls [m, k] x [k, n] of a layer and of the LM head that half of `memory` bytes hold: in
    training, and in a decode step."""
    width, heads = sizes["hidden"], sizes["head_dim"]
    projections = (
        (width, (sizes["heads"] + 2 * sizes["kv_heads"]) * heads),
        (sizes["heads"] * heads, width),
        (width, 2 * sizes["feed_forward"]),
        (sizes["feed_forward"], width),
        (width, sizes["vocabulary"]),
    )
    shapes = [(m, k, n) for m in (sizes["tokens"], DECODED) for k, n in projections]
    return [shape for shape in shapes if matmul_bytes(*shape) <= memory / 2]


def matmul_bytes(m, k, n):
    """Bytes of both operands and of the result, in 16 bits."""
    return 2 * (m * k + k * n + m * n)


def sequences_of(tokens):
    """Sequences, and tokens of each: as long as SEQUENCE, where there are so many."""
    length = min(tokens, SEQUENCE)
    return tokens // length, length


def parameters_of(model):
    """Parameters of a gated model with GQA, without those of norms."""
    width, dim = model["hidden"], model["head_dim"]
    attention = width * dim * (2 * model["heads"] + 2 * model["kv_heads"])
    layer = attention + 3 * width * model["feed_forward"]
    return model["layers"] * layer + 2 * model["vocabulary"] * width


def step_model(sizes, memory):
    """The small model of a step: the widths of `sizes`, halved until its states take less than a
    third of `memory` bytes."""
    model = {
        "layers": LAYERS,
        "hidden": sizes["hidden"],
        "feed_forward": sizes["feed_forward"],
        "heads": sizes["heads"],
        "kv_heads": sizes["kv_heads"],
        "head_dim": sizes["head_dim"],
        "vocabulary": min(sizes["vocabulary"], STEP_VOCABULARY),
    }
    while (
        TRAINED_BYTES * parameters_of(model) > memory / 3
        and min(model["hidden"], model["feed_forward"]) >= 128
    ):
        for key in ("hidden", "feed_forward"):
            model[key] //= 2
        model["heads"] = max(1, model["heads"] // 2)
        model["kv_heads"] = math.gcd(model["heads"], model["kv_heads"])
    return model


def per_call(groups, calls):
    """Seconds of a call: the median of groups of so many calls."""
    return statistics.median(groups) / calls


def calls_in(seconds, one):
    """The calls of a group, so that five groups take `seconds`."""
    return max(1, min(2000, int(seconds / 5 / max(one, 1e-9))))


def line_of(report):
    """The report as one line of JSON: keys in camelCase, seconds to five digits, no NaN."""

    def plain(value):
        if isinstance(value, dict):
            return {camel(key): plain(each) for key, each in value.items() if each is not None}
        if isinstance(value, (list, tuple)):
            return [plain(each) for each in value]
        return float(f"{value:.5g}") if isinstance(value, float) else value

    def camel(key):
        first, *others = key.split("_")
        return first + "".join(other.capitalize() for other in others)

    return json.dumps(plain(report), separators=(",", ":"), allow_nan=False)


def say(text):
    print(text, file=sys.stderr, flush=True)


# ---- what is measured


class Machine:
    """A device with its clock. Kernels on a GPU run after the call: the clock waits for them."""

    def __init__(self, torch, kind, index, seconds=SECONDS):
        self.torch, self.kind, self.seconds = torch, kind, seconds
        self.device = torch.device(kind, index) if kind == "cuda" else torch.device("cpu")
        if kind == "cuda":
            torch.cuda.set_device(self.device)
            major, _ = torch.cuda.get_device_capability(self.device)
            # Older ones only emulate bf16; all of AMD's have it.
            old = major < 8 and not torch.version.hip
            self.format = "fp16" if old else "bf16"
        else:
            self.format = "bf16"
        self.dtype = torch.float16 if self.format == "fp16" else torch.bfloat16

    def facts(self):
        if self.kind == "cpu":
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
            return {"device": "cpu", "cores": os.cpu_count() or 1, "memory": memory}
        of = self.torch.cuda.get_device_properties(self.device)
        return {
            "device": of.name,
            "cores": of.multi_processor_count,
            "memory": of.total_memory,
        }

    def wait(self):
        if self.kind == "cuda":
            self.torch.cuda.synchronize(self.device)

    def once(self, run, calls):
        self.wait()
        start = time.perf_counter()
        for _ in range(calls):
            run()
        self.wait()
        return time.perf_counter() - start

    def time(self, run):
        """Seconds of a call of `run`, one after the other."""
        for _ in range(3):
            one = self.once(run, 1)
        calls = calls_in(self.seconds, self.once(run, 3) / 3 if one < 0.1 else one)
        return per_call([self.once(run, calls) for _ in range(5)], calls)

    def numbers(self, *shape, dtype=None):
        return self.torch.randn(*shape, device=self.device, dtype=dtype or self.dtype)


def measure_matmul(machine, m, k, n):
    """Other operands at each call, as many as do not stay in a cache of 200 MB."""
    copies = max(1, min(16, math.ceil(4e8 / matmul_bytes(m, k, n)))) if machine.kind == "cuda" else 1
    left = [machine.numbers(m, k) for _ in range(copies)]
    right = [machine.numbers(k, n) for _ in range(copies)]
    result = machine.numbers(m, n)
    at = 0

    def run():
        nonlocal at
        at = (at + 1) % copies
        machine.torch.mm(left[at], right[at], out=result)

    return {"m": m, "k": k, "n": n, "seconds": machine.time(run)}


def attention_of(torch):
    """Causal attention, and whether its kernel keeps the scores out of memory."""
    fused = getattr(torch.nn.functional, "scaled_dot_product_attention", None)
    if fused:
        return lambda q, k, v: fused(q, k, v, is_causal=True), "flash"

    def written_out(q, k, v):
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        return torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1) @ v

    return written_out, "naive"


def measure_attention(machine, sizes):
    attend, kernel = attention_of(machine.torch)
    sequences, length = sequences_of(sizes["tokens"])
    shape = (sequences, sizes["heads"], length, sizes["head_dim"])
    q, k, v = (machine.numbers(*shape).requires_grad_() for _ in range(3))

    def forward():
        with machine.torch.no_grad():
            attend(q, k, v)

    result = attend(q, k, v)
    gradient = machine.torch.randn_like(result)

    def backward():
        machine.torch.autograd.grad(result, (q, k, v), gradient, retain_graph=True)

    return {
        "sequences": sequences,
        "tokens": length,
        "heads": sizes["heads"],
        "head_dim": sizes["head_dim"],
        "kernel": kernel,
        "forward": machine.time(forward),
        "backward": machine.time(backward),
    }


def measure_copy(machine):
    """A copy of an array: bytes that are read and written."""
    count = 2**28 if machine.kind == "cuda" else 2**22
    source = machine.numbers(count)
    target = machine.torch.empty_like(source)
    return {"bytes": 4 * count, "seconds": machine.time(lambda: target.copy_(source))}


def measure_launch(machine):
    """Seconds of a kernel that does next to nothing: launched by the host, and out of a graph."""
    torch = machine.torch
    number = torch.zeros(1, device=machine.device)
    launches = 200

    def eager():
        for _ in range(launches):
            number.add_(1)

    found = {"eager": machine.time(eager) / launches}
    if machine.kind == "cuda":
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            eager()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            eager()
        found["captured"] = machine.time(graph.replay) / launches
    return found


def small_model(machine, model, trained):
    """A decoder with RMSNorm, rotary positions, GQA and SwiGLU. All of it is trained in fp32 and
    computes in 16 bits, or adapters beside frozen matrices of 16 bits."""
    torch = machine.torch
    nn, functional = torch.nn, torch.nn.functional
    attend, _ = attention_of(torch)
    lora = trained == "lora"
    held = machine.dtype if lora else torch.float32

    def weight(*shape, dtype=held, fixed=lora):
        values = machine.numbers(*shape, dtype=dtype) * 0.02
        return nn.Parameter(values, requires_grad=not fixed)

    class Linear(nn.Module):
        def __init__(self, inner, outer, adapted=lora):
            super().__init__()
            self.weight = weight(outer, inner)
            self.adapted = adapted
            if adapted:
                self.down = weight(RANK, inner, dtype=torch.float32, fixed=False)
                self.up = weight(outer, RANK, dtype=torch.float32, fixed=False)

        def forward(self, x):
            y = functional.linear(x, self.weight)
            if self.adapted:
                y = y + functional.linear(functional.linear(x, self.down), self.up)
            return y

    class Norm(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(
                torch.ones(model["hidden"], device=machine.device), requires_grad=not lora
            )

        def forward(self, x):
            wide = x.float()
            scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
            return (wide * scale * self.weight).to(x.dtype)

    def rotated(x, angles):
        one, other = x.chunk(2, dim=-1)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        return torch.cat((one * cos - other * sin, one * sin + other * cos), dim=-1)

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            width, dim = model["hidden"], model["head_dim"]
            self.before, self.between = Norm(), Norm()
            self.q = Linear(width, model["heads"] * dim)
            self.k = Linear(width, model["kv_heads"] * dim)
            self.v = Linear(width, model["kv_heads"] * dim)
            self.o = Linear(model["heads"] * dim, width)
            self.gate = Linear(width, model["feed_forward"])
            self.up = Linear(width, model["feed_forward"])
            self.down = Linear(model["feed_forward"], width)

        def heads(self, x, count):
            return x.view(*x.shape[:2], count, model["head_dim"]).transpose(1, 2)

        def forward(self, x, angles):
            y = self.before(x)
            q = rotated(self.heads(self.q(y), model["heads"]), angles)
            k = rotated(self.heads(self.k(y), model["kv_heads"]), angles)
            v = self.heads(self.v(y), model["kv_heads"])
            group = model["heads"] // model["kv_heads"]
            k, v = (each.repeat_interleave(group, dim=1) for each in (k, v))
            mixed = attend(q, k, v).transpose(1, 2).flatten(2)
            x = x + self.o(mixed)
            y = self.between(x)
            return x + self.down(functional.silu(self.gate(y)) * self.up(y))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = weight(model["vocabulary"], model["hidden"])
            self.layers = nn.ModuleList(Layer() for _ in range(model["layers"]))
            self.norm = Norm()
            self.head = Linear(model["hidden"], model["vocabulary"], adapted=False)

        def forward(self, tokens):
            x = functional.embedding(tokens, self.embedding).to(machine.dtype)
            half = model["head_dim"] // 2
            rates = 1e4 ** -(torch.arange(half, device=machine.device) / half)
            angles = torch.arange(tokens.shape[1], device=machine.device)[:, None] * rates
            for layer in self.layers:
                x = layer(x, angles)
            logits = self.head(self.norm(x)).float()
            return functional.cross_entropy(logits.flatten(0, 1), tokens.flatten())

    return Model()


def measure_step(machine, sizes, trained):
    """Seconds of a step with AdamW: all passes and the update, and the memory of its tensors."""
    torch = machine.torch
    torch.manual_seed(0)
    model = step_model(sizes, machine.facts()["memory"])
    sequences, length = sequences_of(min(sizes["tokens"], STEP_TOKENS))
    network = small_model(machine, model, trained)
    changed = [each for each in network.parameters() if each.requires_grad]
    # As the kernels of attention, those of AdamW came with PyTorch 2.
    fused = machine.kind == "cuda" and attention_of(torch)[1] == "flash"
    optimizer = torch.optim.AdamW(changed, lr=1e-4, **({"fused": True} if fused else {}))
    tokens = torch.randint(model["vocabulary"], (sequences, length), device=machine.device)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(machine.kind, dtype=machine.dtype):
            loss = network(tokens)
        loss.backward()
        optimizer.step()

    step()
    memory = None
    if machine.kind == "cuda":
        machine.wait()
        torch.cuda.reset_peak_memory_stats(machine.device)
        step()
        machine.wait()
        memory = torch.cuda.max_memory_allocated(machine.device)
    return {
        "trained": trained,
        **model,
        "sequences": sequences,
        "tokens": length,
        "rank": RANK if trained == "lora" else None,
        "seconds": machine.time(step),
        "memory": memory,
    }


def measure_reduction(machine, devices):
    """AllReduces of arrays in 16 bits; every process of the group calls it. Each waits for all, and
    the number of calls is the same in each."""
    collective = machine.torch.distributed
    found = []
    for count in (2**19, 2**24, 2**27) if machine.kind == "cuda" else (2**16, 2**20):
        # Gloo has no bf16.
        dtype = machine.dtype if machine.kind == "cuda" else machine.torch.float32
        array = machine.numbers(count, dtype=dtype)
        run = lambda: collective.all_reduce(array)
        machine.once(run, 3)
        groups = [machine.once(run, 10) for _ in range(5)]
        found.append(
            {
                "devices": devices,
                "bytes": count * array.element_size(),
                "seconds": per_call(groups, 10),
            }
        )
    return found


def joined(torch, kind, rank, devices, where):
    """One process of the AllReduces; the first returns what it measured."""
    backend = "nccl" if kind == "cuda" else "gloo"
    local = int(os.environ.get("LOCAL_RANK", rank))
    machine = Machine(torch, kind, local)
    torch.distributed.init_process_group(
        backend, init_method=where, rank=rank, world_size=devices
    )
    found = measure_reduction(machine, devices)
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
    return found


def spawned(rank, kind, devices, folder):
    """A process that was started for the AllReduces: the first writes them to a file."""
    import torch

    found = joined(torch, kind, rank, devices, f"file://{folder}/meeting")
    if rank == 0:
        with open(os.path.join(folder, "found"), "w", encoding="utf-8") as file:
            json.dump(found, file)


def reduced(torch, kind, devices):
    """The AllReduces over so many processes of this machine."""
    if devices < 2:
        return []
    say(f"AllReduce over {devices} devices")
    with tempfile.TemporaryDirectory() as folder:
        try:
            torch.multiprocessing.spawn(spawned, (kind, devices, folder), nprocs=devices)
        except Exception as error:  # All else can be measured without.
            say(f"no AllReduce: {error}")
            return []
        with open(os.path.join(folder, "found"), encoding="utf-8") as file:
            return json.load(file)


def measure(torch, kind, sizes, seconds, reductions):
    """All of it, on the first device."""
    machine = Machine(torch, kind, 0, seconds)
    report = {
        "measure": VERSION,
        "kind": kind,
        **machine.facts(),
        "torch": torch.__version__.split("+")[0],
        "format": machine.format,
        "matmuls": [],
    }
    for shape in matmuls_of(sizes, report["memory"]):
        say(f"matmul {shape[0]} x {shape[1]} x {shape[2]}")
        report["matmuls"].append(measure_matmul(machine, *shape))
    say("attention")
    report["attention"] = measure_attention(machine, sizes)
    say("copy")
    report["copy"] = measure_copy(machine)
    say("launches")
    report["launch"] = measure_launch(machine)
    report["reductions"] = reductions
    report["steps"] = []
    for trained in ("all", "lora"):
        say(f"training step of a small model ({trained})")
        if kind == "cuda":
            torch.cuda.empty_cache()
        report["steps"].append(measure_step(machine, sizes, trained))
    return report


def main(arguments):
    given = parse(arguments)
    try:
        import torch
    except ImportError:
        say("measure.py needs PyTorch: https://pytorch.org/get-started/locally/")
        return 2
    present = torch.cuda.is_available()
    kind = given["device"] or ("cuda" if present else "cpu")
    if kind == "cuda" and not present:
        say("PyTorch finds no GPU here: leave out --device cuda, or install PyTorch with CUDA or ROCm")
        return 2
    sizes = sizes_of(given, kind)
    here = torch.cuda.device_count() if kind == "cuda" else os.cpu_count() or 1
    devices = given["devices"] or (here if kind == "cuda" else 1)
    if devices > here:
        say(f"devices must be from 1 to {here}, the number of devices here, not {devices}")
        return 2
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:  # torchrun started this process
        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        found = joined(torch, kind, rank, world, "env://") if world > 1 else []
        if rank > 0:
            return 0
    else:
        found = reduced(torch, kind, devices)
    print(line_of(measure(torch, kind, sizes, given["seconds"], found)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
