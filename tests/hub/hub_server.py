"""A Hub on this machine: the routes that the real clients ask, with faults on demand."""

import base64
import contextlib
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from hub_state import Fault, HubState, Repo, StoredFile

LARGE = (".parquet", ".gz", ".png")
KINDS = {"dataset": "datasets", "space": "spaces", "model": "models"}


@contextlib.contextmanager
def serving(state: HubState) -> Iterator[str]:
    """Yield the address of a Hub that runs while the block does."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"state": state}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class HubError(Exception):
    """A reply that is not what was asked for."""

    def __init__(self, status: int, code: str = "", message: str = "") -> None:
        super().__init__(message or code)
        self.status, self.code, self.message = status, code, message or code


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    state: HubState
    protocol_version = "HTTP/1.1"
    fault: Fault | None = None
    url = ""

    def log_message(self, *_args: object) -> None:
        """Say nothing."""

    def handle_one_request(self) -> None:
        """Answer a request, or cut the connection."""
        with contextlib.suppress(ConnectionError, socket.timeout):
            super().handle_one_request()

    def do_HEAD(self) -> None:
        """Answer a HEAD request."""
        self._answer()

    def do_GET(self) -> None:
        """Answer a GET request."""
        self._answer()

    def do_POST(self) -> None:
        """Answer a POST request."""
        self._answer()

    def do_PUT(self) -> None:
        """Answer a PUT request."""
        self._answer()

    def do_DELETE(self) -> None:
        """Answer a DELETE request."""
        self._answer()

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        path = unquote(parts.path)
        self.query = parse_qs(parts.query)
        with self.state.lock:
            self.state.requests.append(f"{self.command} {path}")
        self.fault = self.state.fault(self.command, path)
        kind = self.fault.kind if self.fault else None
        body = self._body(is_cut=kind == "cut-upload")
        if kind == "cut-upload":
            self._cut()
            return
        try:
            reply = self._reply(path, body)
        except HubError as error:
            self._send_error(error)
        else:
            self._send(reply)

    def _reply(self, path: str, body: bytes) -> Any:
        if self.fault and isinstance(self.fault.kind, int):
            raise HubError(self.fault.kind, message="as the test wants it")
        for method, pattern, action in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and method == self.command.replace("HEAD", "GET"):
                with self.state.lock:
                    return action(self, body, **match.groupdict())
        raise HubError(404, message=f"no route {self.command} {path}")

    def _body(self, *, is_cut: bool) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        length = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(length // 2 if is_cut else length)

    def _cut(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, reply: Any) -> None:
        if self.fault and self.fault.kind == "lose-reply":
            self._cut()
            return
        if isinstance(reply, FileReply):
            self._send_file(reply)
            return
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_error(self, error: HubError) -> None:
        data = json.dumps({"error": error.message, "url": self.url}).encode()
        self.send_response(error.status)
        if error.code:
            self.send_header("X-Error-Code", error.code)
        self.send_header("X-Error-Message", error.message)
        if self.fault and self.fault.retry_after is not None:
            self.send_header("Retry-After", str(self.fault.retry_after))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_file(self, reply: "FileReply") -> None:
        data, start = reply.file.data, 0
        if self.fault and self.fault.kind == "tamper":
            data = bytes([data[0] ^ 1]) + data[1:]
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if wanted:
            start = int(wanted[1])
            data = data[start : int(wanted[2]) + 1 if wanted[2] else None]
        self.send_response(206 if wanted else 200)
        if wanted:
            total = len(reply.file.data)
            self.send_header("Content-Range", f"bytes {start}-{start + len(data) - 1}/{total}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Repo-Commit", reply.commit)
        self.send_header("ETag", f'"{reply.file.etag}"')
        if reply.file.is_large:
            self.send_header("X-Linked-Etag", f'"{reply.file.etag}"')
            self.send_header("X-Linked-Size", str(len(reply.file.data)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if self.fault and self.fault.kind == "cut-download":
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            self._cut()
            return
        self.wfile.write(data)

    @property
    def address(self) -> str:
        """Where this Hub is."""
        return f"http://{self.headers['Host']}"

    @property
    def token(self) -> str | None:
        """The token of the request, if it is one that the Hub gave out."""
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return token if token in self.state.tokens else None

    def writer(self) -> None:
        """Refuse those who may not write."""
        if self.token is None:
            raise HubError(401, message="Invalid username or password.")

    def repo(self, kind: str, name: str) -> Repo:
        """Return a repository that the asker may see."""
        repo = self.state.repos.get((kind, name))
        if repo is None or (repo.is_private and self.token is None):
            raise HubError(401 if self.token is None else 404, "RepoNotFound", "Repository not found")
        return repo

    def at(self, kind: str, name: str, revision: str) -> tuple[Repo, str]:
        """Return a repository and the commit that a revision names."""
        repo = self.repo(kind, name)
        oid = repo.find(revision)
        if oid is None:
            raise HubError(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return repo, oid


class FileReply:
    """A file to send."""

    def __init__(self, commit: str, file: StoredFile) -> None:
        self.commit, self.file = commit, file


def create_repo(handler: Handler, body: bytes) -> Any:
    """Make a repository with its first commit."""
    handler.writer()
    wanted = json.loads(body)
    name = "/".join(filter(None, [wanted.get("organization"), wanted["name"]]))
    kind = KINDS[wanted.get("type") or "model"]
    handler.url = f"{handler.address}/{kind}/{name}"
    if (kind, name) in handler.state.repos:
        raise HubError(409, message="You already created this repo")
    is_private = bool(wanted.get("private")) or wanted.get("visibility") == "private"
    handler.state.repos[kind, name] = Repo(kind=kind, name=name, is_private=is_private, sdk=wanted.get("sdk"))
    return {"url": handler.url, "name": name}


def settings(handler: Handler, body: bytes, kind: str, name: str) -> Any:
    """Change who may see a repository."""
    handler.writer()
    repo, wanted = handler.repo(kind, name), json.loads(body)
    repo.gated = wanted.get("gated", repo.gated)
    repo.is_private = wanted.get("private", repo.is_private)
    return {}


def info(handler: Handler, _body: bytes, kind: str, name: str, revision: str | None = None) -> Any:
    """Describe a repository."""
    repo, oid = handler.at(kind, name, revision or "main")
    return repo.info(oid)


def refs(handler: Handler, _body: bytes, kind: str, name: str) -> Any:
    """List branches and tags."""
    repo = handler.repo(kind, name)

    def listed(group: str, found: dict[str, str]) -> list[dict[str, str]]:
        return [{"name": at, "ref": f"refs/{group}/{at}", "targetCommit": oid} for at, oid in found.items()]

    return {"branches": listed("heads", repo.branches), "tags": listed("tags", repo.tags), "converts": []}


def add_ref(handler: Handler, body: bytes, kind: str, name: str, *, what: str, at: str) -> Any:
    """Add a branch, named in the path, or a tag, named in the body; what exists is never moved."""
    handler.writer()
    wanted = json.loads(body or b"{}")
    repo = handler.repo(kind, name)
    known, new = (repo.tags, wanted["tag"]) if what == "tag" else (repo.branches, at)
    revision = at if what == "tag" else wanted.get("startingPoint") or "main"
    repo, oid = handler.at(kind, name, revision)
    if new in known:
        raise HubError(409, message="Reference already exists")
    known[new] = oid
    return {}


def delete_ref(handler: Handler, _body: bytes, kind: str, name: str, *, what: str, at: str) -> Any:
    """Remove a branch or a tag."""
    handler.writer()
    repo = handler.repo(kind, name)
    (repo.tags if what == "tag" else repo.branches).pop(at)
    return {}


def preupload(handler: Handler, body: bytes, kind: str, name: str, revision: str) -> Any:
    """Say which files are large."""
    handler.writer()
    handler.at(kind, name, revision)
    paths = [file["path"] for file in json.loads(body)["files"]]
    modes = {path: "lfs" if path.endswith(LARGE) else "regular" for path in paths}
    return {
        "files": [{"path": path, "uploadMode": mode, "shouldIgnore": False} for path, mode in modes.items()]
    }


def lfs_batch(handler: Handler, body: bytes, kind: str, name: str) -> Any:
    """Say where large files go; what is there is not asked for again."""
    handler.writer()
    handler.repo(kind, name)
    objects = []
    for wanted in json.loads(body)["objects"]:
        entry = {"oid": wanted["oid"], "size": wanted["size"]}
        if wanted["oid"] not in handler.state.objects:
            entry["actions"] = {"upload": {"href": f"{handler.address}/lfs/{wanted['oid']}"}}
        objects.append(entry)
    return {"transfer": "basic", "objects": objects}


def lfs_put(handler: Handler, body: bytes, oid: str) -> Any:
    """Keep a large file, if it is what it says."""
    file = StoredFile(data=body, is_large=True)
    if file.sha256 != oid:
        raise HubError(400, message="the content is not what its name says")
    handler.state.objects[oid] = body
    return {}


def commit(handler: Handler, body: bytes, kind: str, name: str, revision: str) -> Any:
    """Add a commit, unless somebody else was faster."""
    handler.writer()
    repo, head = handler.at(kind, name, revision)
    lines = [json.loads(line) for line in body.splitlines() if line]
    header = lines[0]["value"]
    parent = header.get("parentCommit")
    if parent not in {None, head} or (handler.fault and handler.fault.kind == "stale-parent"):
        raise HubError(412, message="A commit has happened since. Please refresh and try again.")
    tree = dict(repo.tree(head))
    for line in lines[1:]:
        value = line["value"]
        if line["key"] == "file":
            tree[value["path"]] = StoredFile(data=base64.b64decode(value["content"]), is_large=False)
        elif line["key"] == "lfsFile":
            if value["oid"] not in handler.state.objects:
                raise HubError(400, message=f"{value['path']} was never uploaded")
            tree[value["path"]] = StoredFile(data=handler.state.objects[value["oid"]], is_large=True)
        elif line["key"] == "deletedFile":
            tree.pop(value["path"])
        else:
            raise HubError(400, message=f"unknown {line['key']}")
    is_proposed = handler.query.get("create_pr") == ["1"]
    number = 1 + sum(branch.startswith("refs/pr/") for branch in repo.branches)
    oid = repo.commit(f"refs/pr/{number}" if is_proposed else revision, tree, header["summary"])
    page = f"{handler.address}/{kind}/{name}"
    return {
        "success": True,
        "commitOid": oid,
        "commitUrl": f"{page}/commit/{oid}",
        "hookOutput": "",
        **({"pullRequestUrl": f"{page}/discussions/{number}"} if is_proposed else {}),
    }


def tree(handler: Handler, _body: bytes, kind: str, name: str, revision: str, folder: str | None) -> Any:
    """List a folder."""
    repo, oid = handler.at(kind, name, revision)
    is_recursive = handler.query.get("recursive", ["false"])[0].lower() in {"true", "1"}
    listed = repo.listed(oid, folder or "", is_recursive=is_recursive)
    if listed is None:
        raise HubError(404, "EntryNotFound", "no such folder")
    return listed


def paths_info(handler: Handler, body: bytes, kind: str, name: str, revision: str) -> Any:
    """Describe files and folders by name."""
    repo, oid = handler.at(kind, name, revision)
    is_json = "json" in handler.headers.get("Content-Type", "")
    wanted = json.loads(body)["paths"] if is_json else parse_qs(body.decode()).get("paths", [])
    known = {entry["path"]: entry for entry in repo.listed(oid, "", is_recursive=True) or []}
    return [known[path] for path in wanted if path in known]


def resolve(handler: Handler, _body: bytes, kind: str, name: str, revision: str, file: str) -> Any:
    """Send a file."""
    repo, oid = handler.at(kind, name, revision)
    if repo.gated and handler.token not in handler.state.granted:
        raise HubError(403 if handler.token else 401, "GatedRepo", "Access to this data set is restricted")
    found = repo.tree(oid).get(file)
    if found is None:
        raise HubError(404, "EntryNotFound", "no such file")
    return FileReply(oid, found)


def validate_yaml(_handler: Handler, _body: bytes) -> Any:
    """Find nothing wrong with a card."""
    return {"errors": [], "warnings": []}


REPO = r"/api/(?P<kind>datasets|spaces|models)/(?P<name>[^/]+/[^/]+)"
ROUTES: list[tuple[str, str, Callable[..., Any]]] = [
    ("POST", r"/api/repos/create", create_repo),
    ("POST", r"/api/validate-yaml", validate_yaml),
    ("PUT", rf"{REPO}/settings", settings),
    ("GET", rf"{REPO}/refs", refs),
    ("GET", rf"{REPO}/revision/(?P<revision>[^/]+)", info),
    ("GET", REPO, info),
    ("GET", rf"{REPO}/tree/(?P<revision>[^/]+)(?:/(?P<folder>.+))?", tree),
    ("POST", rf"{REPO}/paths-info/(?P<revision>[^/]+)", paths_info),
    ("POST", rf"{REPO}/(?P<what>branch|tag)/(?P<at>[^/]+)", add_ref),
    ("DELETE", rf"{REPO}/(?P<what>branch|tag)/(?P<at>[^/]+)", delete_ref),
    ("POST", rf"{REPO}/preupload/(?P<revision>[^/]+)", preupload),
    ("POST", rf"{REPO}/commit/(?P<revision>[^/]+)", commit),
    ("POST", r"/(?P<kind>datasets|spaces)/(?P<name>[^/]+/[^/]+)\.git/info/lfs/objects/batch", lfs_batch),
    ("PUT", r"/lfs/(?P<oid>[0-9a-f]{64})", lfs_put),
    (
        "GET",
        r"/(?P<kind>datasets|spaces)/(?P<name>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)",
        resolve,
    ),
]
