from __future__ import annotations

import base64
import gzip
import json
import logging
import struct
import time
from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest

from memtui.core.config import VectorConfig
from memtui.core.errors import UnavailableError
from memtui.vectors import models, vector_endpoint
from memtui.vectors.vector_endpoint import Endpoint
from tests.vectors.server import Reply, Server, data, vector

np = pytest.importorskip("numpy")
pytest.importorskip("httpx")

KEY = "sk-test-0123456789abcdefghijABCDEFGHIJ"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_KEY", KEY)
    monkeypatch.setattr(vector_endpoint, "FIRST_WAIT", 0.01)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")


@pytest.fixture
def model(server: Server) -> Iterator[Endpoint]:
    made = Endpoint("test", _settings(server))
    yield made
    made.close()


def _settings(server: Server, **more: Any) -> VectorConfig:
    settings = VectorConfig(backend="endpoint", url=server.url, model="some-model", key="EMBEDDING_KEY")
    return settings._replace(**more)


def _unit(text: str) -> Any:
    return np.array(vector(text)) / np.linalg.norm(vector(text))


def test_batches_in_order(server: Server, model: Endpoint) -> None:
    texts = ["a" * (number % 5) + "b" for number in range(vector_endpoint.BATCH + 3)]
    rows = model.passages(texts)
    assert np.allclose(rows, [_unit(text) for text in texts], atol=1e-6)
    assert rows.dtype == np.float32
    assert [len(asked.body["input"]) for asked in server.asked] == [vector_endpoint.BATCH, 3]
    (first, _second) = server.asked
    assert (first.path, first.key) == ("/v1/embeddings", f"Bearer {KEY}")
    assert first.body["model"] == "some-model"
    assert model.dimensions == 3
    assert len(server.asked) == 2


def test_dimensions_are_asked_for_once(server: Server, model: Endpoint) -> None:
    assert (model.dimensions, model.dimensions) == (3, 3)
    assert len(server.asked) == 1


def test_nothing_is_sent_before_it_is_wanted(server: Server) -> None:
    settings = _settings(server)
    assert models.why_not(settings) == ""
    model = models.load(settings)
    assert model.name == models.identify_model(settings)
    assert model.passages([]).shape[0] == 0
    assert not server.asked
    model.query("a")
    model.close()
    assert np.allclose(model.query("a"), _unit("a"))
    model.close()


def test_without_a_key(server: Server) -> None:
    model = Endpoint("test", _settings(server, key=""))
    model.query("a")
    model.close()
    assert server.asked[0].key is None


def test_what_the_model_wants_said_before(server: Server) -> None:
    model = Endpoint("test", _settings(server, model="intfloat/multilingual-e5-small"))
    model.query("a")
    model.passages(["b"])
    model.close()
    assert [asked.body["input"] for asked in server.asked] == [["query: a"], ["passage: b"]]


def test_secrets_stay_here(server: Server, model: Endpoint) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    model.passages([f"the token is {secret}", "x" * (vector_endpoint.LONGEST - 10) + " " + secret])
    model.query(f"where is {secret}")
    assert secret[:20] not in json.dumps([asked.body for asked in server.asked])


def test_any_text(server: Server, model: Endpoint) -> None:
    rows = model.passages(["", "\0", "\ud800", "word " * 10_000])
    assert np.isfinite(rows).all()
    assert all(text.strip() and len(text) <= vector_endpoint.LONGEST for text in server.asked[0].body["input"])


def test_base64_and_any_order(server: Server, model: Endpoint) -> None:
    rows = [base64.b64encode(struct.pack("<2f", 3, 4)).decode(), [4, 3]]
    told = json.loads(data(rows))
    told["data"].reverse()
    server.replies.append(Reply(body=json.dumps(told).encode()))
    assert np.allclose(model.passages(["one", "two"]), [[0.6, 0.8], [0.8, 0.6]])


def test_a_server_that_leaves_the_index_out(server: Server, model: Endpoint) -> None:
    server.replies.append(Reply(body=b'{"data": [{"embedding": [3, 4]}, {"embedding": [4, 3]}]}'))
    assert np.allclose(model.passages(["one", "two"]), [[0.6, 0.8], [0.8, 0.6]])


@pytest.mark.parametrize("status", [0, 408, 429, 500, 503])
def test_it_is_tried_again(server: Server, model: Endpoint, status: int) -> None:
    server.replies += [Reply(status, b"")] * 2
    assert np.allclose(model.passages(["a"]), [_unit("a")])
    assert len(server.asked) == 3


def test_not_for_ever(server: Server, model: Endpoint) -> None:
    server.replies += [Reply(503, b"")] * 20
    with pytest.raises(UnavailableError, match="is in trouble \\(503\\)"):
        model.passages(["a"])
    assert len(server.asked) == vector_endpoint.FILLING.tries
    server.asked.clear()
    with pytest.raises(UnavailableError):
        model.query("a")
    assert len(server.asked) == vector_endpoint.ASKING.tries


def test_the_server_says_when(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Endpoint("test", _settings(server))
    waits: list[float] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return False

    monkeypatch.setattr(model._trying._closed, "wait", wait)
    server.replies += [
        Reply(429, b"", (("Retry-After", told),)) for told in ("7", "9999", "Wed, 01 Jan 2999 00:00:00 GMT", "soon")
    ]
    model.passages(["a"])
    assert waits[:3] == [7, 30, 30]
    assert 0 < waits[3] < 0.1
    model.close()


def test_who_waits_gives_up_when_it_is_closed(server: Server, model: Endpoint) -> None:
    called = Event()
    server.replies.append(Reply(429, b"", (("Retry-After", "30"),), called.set))
    said: list[str] = []

    def fill() -> None:
        try:
            model.passages(["a"])
        except UnavailableError as error:
            said.append(str(error))

    thread = Thread(target=fill)
    thread.start()
    assert called.wait(60)
    deadline = time.monotonic() + 60
    while thread.is_alive() and time.monotonic() < deadline:
        model.close()
        thread.join(0.05)
    assert said


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (400, "does not take the request (400)"),
        (401, "does not take the key (401)"),
        (403, "does not take the key (403)"),
        (404, "no such model or address (404)"),
        (302, "which is not followed"),
        (308, "which is not followed"),
    ],
)
def test_what_no_second_try_helps(server: Server, model: Endpoint, status: int, sentence: str) -> None:
    body = json.dumps({"error": {"message": f"no \x1b[31m use: {KEY} is wrong"}}).encode()
    server.replies.append(Reply(status, body, (("Location", "http://elsewhere.invalid/"),)))
    with pytest.raises(UnavailableError) as told:
        model.passages(["a"])
    assert sentence in str(told.value)
    assert "is wrong" in str(told.value)
    assert KEY not in str(told.value)
    assert "\x1b" not in str(told.value)
    assert len(server.asked) == 1


def test_texts_that_are_too_long_are_given_shorter(server: Server, model: Endpoint) -> None:
    server.replies.append(Reply(400, b'{"error": "input has 900 tokens, the maximum context length is 512"}'))
    model.passages(["a" * 3000])
    assert [len(asked.body["input"][0]) for asked in server.asked] == [
        vector_endpoint.LONGEST,
        vector_endpoint.SHORTER,
    ]
    server.replies += [Reply(413, b"")] * 2
    with pytest.raises(UnavailableError, match="413"):
        model.passages(["a"])


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"<html>", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "something else"),
        (b'{"data": {}}', "something else"),
        (b'{"data": [1, 2]}', "something else"),
        (data([[1.0, 2]]), "1 vectors for 2 texts"),
        (data([[1.0, 2]] * 3), "3 vectors for 2 texts"),
        (data([[1.0], [1.0]], index=0), "which is whose"),
        (data([[1.0], [1.0]], index="0"), "which is whose"),
        (data([[1.0, 2], [1.0]]), "damaged"),
        (data([[], []]), "damaged"),
        (data([[1.0, None], [1.0, 2]]), "damaged"),
        (data([[1.0, True], [1.0, 2]]), "damaged"),
        (data([[10**400, 1], [1, 2]]), "damaged"),
        (data(["!!!", "!!!"]), "damaged"),
        (data(["AAAA", "AAAA"]), "damaged"),
        (data([None, None]), "damaged"),
        (data([[float("nan"), 1], [1, 2]]), "no numbers"),
        (data([[float("inf"), 1], [1, 2]]), "no numbers"),
        (data([[1e300, 1], [1, 2]]), "no numbers"),
    ],
)
def test_an_answer_that_is_none(server: Server, model: Endpoint, body: bytes, sentence: str) -> None:
    server.replies.append(Reply(body=body))
    with pytest.raises(UnavailableError, match=sentence):
        model.passages(["a", "b"])


def test_a_model_that_was_changed_behind_the_name(server: Server, model: Endpoint) -> None:
    model.query("a")
    server.replies.append(Reply(body=data([[1.0, 2]])))
    with pytest.raises(UnavailableError, match="of 2 dimensions, and of 3 before"):
        model.query("a")


def test_a_server_that_sleeps(server: Server, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_endpoint, "ASKING", vector_endpoint.ASKING._replace(seconds=0.1))
    wake = Event()
    server.replies += [Reply(before=lambda: wake.wait(60))] * 2
    with pytest.raises(UnavailableError, match="does not answer in time"):
        model.query("a")
    wake.set()


def test_an_answer_without_end(server: Server, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_endpoint, "MOST", 1 << 16)
    server.replies.append(Reply(body=b" " * (1 << 17)))
    with pytest.raises(UnavailableError, match="far more than vectors take"):
        model.query("a")
    packed = gzip.compress(b" " * (1 << 20))
    server.replies.append(Reply(body=packed, headers=(("Content-Encoding", "gzip"),)))
    with pytest.raises(UnavailableError, match="far more than vectors take"):
        model.query("a")
    assert model.query("a").shape == (3,)


def test_an_answer_in_drops(model: Endpoint, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_endpoint, "ASKING", vector_endpoint.ASKING._replace(seconds=0.4, tries=1))
    server.replies.append(Reply(drops=0.1))
    with pytest.raises(UnavailableError, match="does not answer in time"):
        model.query("a")


def test_who_waits_for_few_texts_waits_once(server: Server, model: Endpoint) -> None:
    server.replies += [Reply(429, b"{}", (("Retry-After", "30"),))] * 2
    begun = time.monotonic()
    with pytest.raises(UnavailableError, match="429"):
        model.passages(["a"], soon=True)
    assert time.monotonic() - begun < 25
    assert len(server.asked) == 1


def test_nobody_there(server: Server) -> None:
    model = Endpoint("test", _settings(server, url="http://127.0.0.1:9/v1"))
    with pytest.raises(UnavailableError, match=r"127\.0\.0\.1:9 cannot be reached"):
        model.query("a")
    model.close()


@pytest.mark.parametrize("shown", [KEY, KEY[:12] + "***", f"({KEY[-10:]})", f"'{KEY}',"])
def test_no_piece_of_the_key_is_repeated(server: Server, model: Endpoint, shown: str) -> None:
    server.replies.append(Reply(401, json.dumps({"error": {"message": f"not your key: {shown}"}}).encode()))
    with pytest.raises(UnavailableError) as told:
        model.query("a")
    assert "not your key" in str(told.value)
    assert not any(KEY[at : at + 8] in str(told.value) for at in range(len(KEY) - 7))


def test_the_key_stands_nowhere(
    server: Server, model: Endpoint, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    server.replies.append(Reply(500, KEY.encode()))
    model.query("a")
    assert KEY not in caplog.text
    assert KEY not in "".join(capfd.readouterr())
    held = [
        repr(model),
        repr(vars(model)),
        repr(vars(model._trying)),
        repr(model._trying._client),
        model.name,
    ]
    assert KEY not in "".join(held)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"url": ""}, "not both set"),
        ({"model": ""}, "not both set"),
        ({"url": "localhost:8000/v1"}, "web address"),
        ({"url": "http://localhost:port/v1"}, "web address"),
        ({"url": "http://[::1/v1"}, "web address"),
        ({"url": "file:///etc/passwd"}, "web address"),
        ({"url": "http://192.168.1.2/v1"}, "use https"),
        ({"url": "http://localhost.example.org/v1"}, "use https"),
        ({"url": "https://me:word@api.example.org/v1"}, "holds a name or a password"),
        ({"url": "https://api.example.org/v1", "key": "NO_SUCH_KEY"}, "NO_SUCH_KEY"),
        ({"key": "BAD_KEY"}, "characters that no key has"),
    ],
)
def test_what_is_not_asked_at_all(
    server: Server, monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], sentence: str
) -> None:
    monkeypatch.setenv("BAD_KEY", "two words\n中")
    settings = _settings(server)._replace(**changed)
    assert sentence in models.why_not(settings)
    assert models.identify_model(settings) == ""
    with pytest.raises(UnavailableError):
        models.load(settings)


@pytest.mark.parametrize("url", ["http://localhost:11434/v1", "http://[::1]:80/v1", "https://api.example.org/v1/"])
def test_what_may_be_asked(server: Server, url: str) -> None:
    assert models.why_not(_settings(server, url=url)) == ""


def test_it_is_never_asked_unless_chosen(server: Server) -> None:
    settings = _settings(server, backend="auto")
    assert not models.identify_model(settings).startswith("endpoint")
    assert not server.asked
