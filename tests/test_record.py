"""Tuples with names are as `typing.NamedTuple` makes them."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from memtui.core.startup import NamedTuple, Protocol, cast, runtime_checkable


class Ours(NamedTuple):
    """A place."""

    path: str
    line: int = 1
    marks: tuple[int, ...] = ()

    def told(self) -> str:
        return f"{self.path}:{self.line}"


class Theirs(typing.NamedTuple):
    """A place."""

    path: str
    line: int = 1
    marks: tuple[int, ...] = ()


class Under(Ours):
    __slots__ = ()

    def told(self) -> str:
        return super().told() + "!"


def plain(value: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(value)


def test_it_is_what_typing_makes() -> None:
    ours, theirs = Ours("a", marks=(3,)), Theirs("a", marks=(3,))
    assert plain(ours) == plain(theirs) == ("a", 1, (3,))
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._fields == theirs._fields == Ours.__match_args__
    assert ours._field_defaults == theirs._field_defaults
    assert ours._asdict() == theirs._asdict()
    assert plain(ours._replace(line=7)) == plain(theirs._replace(line=7))
    assert plain(Ours._make(["a", 2, ()])) == plain(Theirs._make(["a", 2, ()]))
    assert Ours.__doc__ == "A place."
    assert ours.told() == "a:1"
    assert not hasattr(ours, "__dict__")


def test_it_is_made_from_classes_under_it_too() -> None:
    # Before its own first use and after it, `__new__` is inherited.
    assert type(Under("b")) is Under
    assert Under("b").told() == "b:1!"
    assert type(Under("b")._replace(line=2)) is Under


def test_it_is_copied_and_pickled() -> None:
    ours = Ours("a", 4)
    assert pickle.loads(pickle.dumps(ours)) == copy.copy(ours) == ours
    assert type(copy.deepcopy(ours)) is Ours


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours("a", 1, (), 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours._make(["a"])
    with pytest.raises(ValueError, match="colour"):
        Ours("a")._replace(colour=1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Ours("a").path = "b"  # type: ignore[misc]


class Settled(NamedTuple):
    """Made of its defaults alone."""

    one: int = 1
    two: str = "b"


def test_it_is_made_of_its_defaults() -> None:
    assert plain(Settled()) == (1, "b")
    assert type(Settled()) is Settled
    assert plain(Settled(two="c")) == (1, "c")
    # It can be called by all ways once it was called by one.
    assert plain(Settled()) == (1, "b")
    assert type(type("Below", (Settled,), {})()).__name__ == "Below"


@runtime_checkable
class Speaking(Protocol):
    """What speaks."""

    def speak(self) -> str:
        """Something."""


class Dog:
    def speak(self) -> str:
        return "woof"


class Own(Speaking):
    def speak(self) -> str:
        return ""


def test_a_protocol_is_what_has_its_methods() -> None:
    assert isinstance(Dog(), Speaking)
    assert isinstance(Own(), Speaking)
    assert isinstance(Own(), Own)
    assert not isinstance(Dog(), Own)
    assert not isinstance("dog", Speaking)
    assert cast("int", "as it is") == "as it is"  # type: ignore[comparison-overlap]
