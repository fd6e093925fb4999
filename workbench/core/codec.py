"""Values to strict JSON documents and back.

JSON has no NaN or infinity: they are written as null, and the document says how many there
were (``nonfinite``). Every document names its schema, so an older or foreign file is told apart.
Conversion is msgspec's; this file holds the house rules.
"""

from __future__ import annotations

import json
import math
from string import Formatter
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from workbench.core.errors import BadInput
from workbench.core.messages import Argument, Message, msg

Value = TypeVar("Value")

_HINT: Final = msg("Name a file of the right kind that Workbench wrote, or make it anew.")
_WITH_PARTS = (inspect.DataclassType, inspect.DictType, inspect.VarTupleType, inspect.TupleType)


def document(schema: str, value: object, *, for_reopening: bool = False) -> dict[str, Any]:
    """``value`` (a dataclass, a mapping or a list) as a JSON-ready object that names ``schema``.

    A list goes under "items". Messages become their English text; ``for_reopening``: template and
    arguments, so that whoever opens the document reads them in the language of that time.
    """
    lost: list[float] = []
    encode = _encode_to_reopen if for_reopening else _encode
    plain = _finite(msgspec.to_builtins(value, enc_hook=encode), lost)
    body: dict[str, Any] = plain if isinstance(plain, dict) else {"items": plain}
    head: dict[str, Any] = {"schema": schema}
    if lost:
        head["nonfinite"] = len(lost)
    return head | body


def dumps(doc: object, *, indent: int | None = None) -> str:
    """Strict JSON text. Raises ValueError on NaN: make the document with ``document``."""
    return json.dumps(doc, ensure_ascii=False, allow_nan=False, indent=indent)


def loads(text: str | bytes, *, where: str) -> dict[str, Any]:
    """A JSON object, or BadInput that names ``where``."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(msg("This is not JSON: {reason}", reason=str(error)), where=where, hint=_HINT) from error
    if not isinstance(value, dict):
        raise BadInput(msg("A JSON object is expected here"), where=where, hint=_HINT)
    return value


def value(kind: type[Value], doc: dict[str, Any], *, schema: str, where: str) -> Value:
    """``doc`` as ``kind``; a null where a number must be becomes NaN.

    Raises BadInput where the schema is another's or a field does not fit.
    """
    found = doc.get("schema")
    if found != schema:
        raise BadInput(
            msg("This file is of schema {found}, not {schema}", found=str(found), schema=schema),
            where=where,
            hint=_HINT,
        )
    try:
        return msgspec.convert(_with_nan(inspect.type_info(kind), doc), kind, dec_hook=_decode)
    except (msgspec.ValidationError, BadInput, UnicodeEncodeError) as error:  # the last of a lone surrogate
        reason = str(error.what if isinstance(error, BadInput) else error)
        raise BadInput(msg("A field does not fit: {reason}", reason=reason), where=where, hint=_HINT) from error


def _encode(thing: object) -> object:
    if isinstance(thing, Message):
        return str(thing)
    raise TypeError(f"no JSON form for {type(thing).__name__}")


def _encode_to_reopen(thing: object) -> object:
    if not isinstance(thing, Message):
        return _encode(thing)
    arguments = {key: _encode_to_reopen(a) if isinstance(a, Message) else a for key, a in thing.arguments}
    return {"template": thing.template, "arguments": arguments}


def _decode(kind: type, thing: object) -> object:
    if kind is Message:
        return _message(thing)
    raise TypeError(f"no value of {kind.__name__} from {type(thing).__name__}")


def _message(thing: object) -> Message:
    """A message from its text, or from template and arguments. Raises BadInput where they make none."""
    match thing:
        case str():
            return Message("{text}", (("text", thing),))
        case {"template": str(template), "arguments": dict(arguments), **rest} if not rest:
            filled = tuple((str(key), _argument(argument)) for key, argument in sorted(arguments.items()))
            if _places(template) <= {key for key, _ in filled}:
                return Message(template, filled)
    raise BadInput(msg("This is no message: {text}", text=str(thing)[:80]), hint=_HINT)


def _argument(thing: object) -> Argument:
    if thing is None:  # a NaN
        return math.nan
    return thing if isinstance(thing, str | int | float) else _message(thing)


def _places(template: str) -> set[str]:
    """The names in braces. Raises BadInput for anything but names: a file may ask for a billion spaces."""
    try:
        found = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(template)]
    except ValueError:
        found = [("", "", "")]
    names = {name for name, _, _ in found if name is not None}
    if any(spec or conversion for _, spec, conversion in found) or not all(map(str.isidentifier, names)):
        raise BadInput(msg("This is no message: {text}", text=template[:80]), hint=_HINT)
    return names


def _with_nan(kind: inspect.Type, thing: Any) -> Any:  # noqa: PLR0911 - a table of types, one return each
    """``thing`` with NaN in place of null wherever ``kind`` takes a float and no null."""
    match kind:
        case inspect.FloatType() if thing is None:
            return math.nan
        case inspect.DataclassType(fields=fields) if isinstance(thing, dict):
            kinds = {field.encode_name: field.type for field in fields}
            return {key: _with_nan(kinds[key], item) if key in kinds else item for key, item in thing.items()}
        case inspect.DictType(value_type=inner) if isinstance(thing, dict):
            return {key: _with_nan(inner, item) for key, item in thing.items()}
        case inspect.VarTupleType(item_type=inner) if isinstance(thing, list):
            return [_with_nan(inner, item) for item in thing]
        case inspect.TupleType(item_types=kinds) if isinstance(thing, list) and len(kinds) == len(thing):
            return [_with_nan(inner, item) for inner, item in zip(kinds, thing, strict=True)]
        case inspect.UnionType(types=kinds) if thing is not None:
            parted = next((k for k in kinds if isinstance(k, _WITH_PARTS)), None)
            return thing if parted is None else _with_nan(parted, thing)
        case inspect.UnionType(types=kinds) if not any(isinstance(k, inspect.NoneType) for k in kinds):
            return math.nan if any(isinstance(k, inspect.FloatType) for k in kinds) else None
    return thing


def _finite(thing: Any, lost: list[float]) -> Any:
    if isinstance(thing, float):
        if math.isfinite(thing):
            return thing
        lost.append(thing)
        return None
    if isinstance(thing, dict):
        return {str(key): _finite(item, lost) for key, item in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [_finite(item, lost) for item in thing]
    return thing
