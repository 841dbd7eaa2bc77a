"""Homes of the tools that memtui only reads, made up after their documentation and source: a user's and a project's.

`build` writes them below a directory. Databases have their tools' own schemas of autumn 2026, in WAL mode as they
leave them.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import apsw

AGENT = "agent-5f1c2d3e-0000-4000-8000-00000000a11e"

USER = {
    ".gemini/GEMINI.md": "# Ana\n\nAnswer briefly.\n\n## Gemini Added Memories\n- My preferred language is Python.\n"
    "- I deploy on Thursdays only.\n",
    ".gemini/settings.json": "{}\n",
    ".gemini/tmp/3f2a/memory/MEMORY.md": "## Gemini Added Memories\n- The shop's database is PostgreSQL 16.\n",
    ".gemini/tmp/3f2a/chats/session-2026-09-10T18-13-00-abc12345.jsonl": "\n".join(
        (
            '{"sessionId":"abc12345-1111-4222-8333-0123456789ab","projectHash":"3f2a","startTime":"2026-09-10T18:13:00Z",'
            '"lastUpdated":"2026-09-10T18:13:00Z","directories":["/home/ana/shop"]}',
            '{"id":"m1","timestamp":"2026-09-10T18:13:21Z","type":"user","content":[{"text":"Why is checkout slow?"}]}',
            '{"id":"m2","timestamp":"2026-09-10T18:13:30Z","type":"gemini","content":"","thoughts":[{"subject":"Look",'
            '"description":"at the log","timestamp":"2026-09-10T18:13:25Z"}],"toolCalls":[{"id":"t1","name":"read_file",'
            '"args":{"file_path":"log.txt"},"status":"executing","timestamp":"2026-09-10T18:13:28Z"}]}',
            '{"id":"m2","timestamp":"2026-09-10T18:13:30Z","type":"gemini","content":"The query has no index.",'
            '"toolCalls":[{"id":"t1","name":"read_file","args":{"file_path":"log.txt"},"status":"success",'
            '"timestamp":"2026-09-10T18:13:28Z","result":[{"functionResponse":{"id":"t1","name":"read_file",'
            '"response":{"output":"seq scan on orders"}}}]}]}',
            '{"id":"m3","timestamp":"2026-09-10T18:14:00Z","type":"user","content":"Drop the table"}',
            '{"$rewindTo":"m3"}',
            '{"id":"m4","timestamp":"2026-09-10T18:15:00Z","type":"user","content":"Add the index"}',
            '{"$set":{"summary":"Checkout was slow for want of an index","lastUpdated":"2026-09-10T18:15:00Z"}}',
        )
    )
    + "\n",
    ".gemini/tmp/3f2a/chats/session-2026-05-01T09-00-00-old00001.json": '{"sessionId":"old00001","projectHash":"3f2a",'
    '"startTime":"2026-05-01T09:00:00Z","lastUpdated":"2026-05-01T09:05:00Z","messages":[{"id":"a",'
    '"timestamp":"2026-05-01T09:00:05Z","type":"user","content":"Explain the router"},{"id":"b",'
    '"timestamp":"2026-05-01T09:00:09Z","type":"gemini","content":"It maps paths to views."}]}\n',
    ".copilot/copilot-instructions.md": "# Mine\n\n- Explain before you run a command\n",
    ".copilot/config.json": "{}\n",
    ".copilot/session-state/2d6da700-f689-47d7-9d20-d8fed7053e82/events.jsonl": "\n".join(
        (
            '{"type":"session.start","data":{"sessionId":"2d6da700-f689-47d7-9d20-d8fed7053e82","copilotVersion":"1.0.90",'
            '"startTime":"2026-08-18T02:15:37Z","context":{"cwd":"/home/ana/shop","branch":"main"}},"id":"e0",'
            '"timestamp":"2026-08-18T02:15:37Z"}',
            '{"type":"user.message","data":{"content":"Add a foo helper","transformedContent":"<x>Add a foo helper"},'
            '"id":"e1","timestamp":"2026-08-18T02:15:38Z"}',
            '{"type":"assistant.message","data":{"content":"I look first.","toolRequests":[{"toolCallId":"c1","name":"view",'
            '"arguments":{"path":"foo.py"}}]},"id":"e2","timestamp":"2026-08-18T02:15:39Z"}',
            '{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"def foo(): 1"}},'
            '"id":"e3","timestamp":"2026-08-18T02:15:40Z"}',
            '{"type":"user.message","agentId":"sub","data":{"content":"hidden"},"id":"e4"}',
        )
    )
    + "\n",
    ".config/opencode/AGENTS.md": "# Everywhere\n\n- Never push to main\n",
    ".local/share/opencode/storage/session/9c1f/ses_01.json": '{"id":"ses_01","projectID":"9c1f","version":"0.14",'
    '"directory":"/home/ana/shop","title":"Move the cart to Redis","time":{"created":1755000000000,'
    '"updated":1755000600000}}\n',
    ".local/share/opencode/storage/session/9c1f/ses_02.json": '{"id":"ses_02","parentID":"ses_01","title":"sub-agent",'
    '"time":{"created":1755000000000}}\n',
    ".codeium/windsurf/memories/global_rules.md": "- Use British spelling in documents\n",
    ".codeium/windsurf/memories/9d0c.pb": "\x08\x01",
    "Documents/Cline/Rules/style.md": "# Style\n\n- Small commits\n",
    ".kiro/steering/me.md": "---\ninclusion: always\n---\n# Me\n\n- I read diffs on a phone: keep them short\n",
    f".letta/agents/{AGENT}/memory/system/human.md": '---\ndescription: "Who I work with."\n---\n\n'
    "Ana runs the shop alone and prefers plain words.\n",
    f".letta/agents/{AGENT}/memory/system/persona.md": "---\ndescription: Who I am.\n---\n\n"
    "I keep the shop's code tidy.\n",
    f".letta/agents/{AGENT}/memory/reference/payments.md": "---\ndescription: How payments work.\n---\n\n"
    "- The provider calls back within ten seconds\n",
    f".letta/agents/{AGENT}/memory/skills/release/SKILL.md": "---\nname: release\ndescription: How to release.\n---\n\n"
    "Run the script.\n",
    "basic-memory/shop/payment-retries.md": "---\ntitle: Payment retries\ntype: note\npermalink: shop/payment-retries\n"
    "tags: [payments]\ncreated: 2026-03-04T10:00:00+00:00\n---\n\n# Payment retries\n\n## Observations\n"
    "- [decision] Retry a failed charge three times with jitter #reliability (agreed with Ana)\n"
    "- [preference] Use UTC everywhere #time\n- [tip] Verify the webhook before parsing it\n- [ ] write the runbook\n\n"
    "## Relations\n- implements [[Order service]]\n- relates_to [[Refunds]] (same queue)\n",
    "basic-memory/README.md": "# What stands here\n\nNotes.\n",
    ".basic-memory/config.json": '{"projects":{"main":"~/basic-memory","work":{"path":"~/work-notes"}}}\n',
    "work-notes/standup.md": "---\ntitle: Stand-up\npermalink: standup\n---\n\n- [fact] Stand-up is at ten #team\n",
    ".config/obsidian/obsidian.json": '{"vaults":{"1a":{"path":"VAULT","ts":1755000000000,"open":true}}}\n',
    "vault/.obsidian/app.json": "{}\n",
    "vault/Recipes/soup.md": "# Soup\n\n- Leeks\n",
    "vault/90 - AI/Claude/lessons.md": "# Lessons\n\n- The importer chokes on empty rows\n",
}
"""Of a user's directory; `VAULT` is written as its path."""

PROJECT = {
    "package.json": "{}\n",
    "AGENTS.md": "# Shop\n\n- Run `make test` before you commit\n- Prices are integers in cents\n",
    "GEMINI.md": "# Shop\n\n- Run `make test` before you commit\n- Prices are integers in cents\n",
    ".windsurfrules": "- Components are named after what they show\n",
    ".gemini/GEMINI.md": "- Name branches after the ticket\n",
    ".engram/manifest.json": '{"version":1,"chunks":[{"id":"37cf446f","created_by":"ana","memories":2}]}\n',
    "web/AGENTS.md": "- Styles live beside their component\n",
    ".cursor/rules/typescript.mdc": "---\ndescription: TypeScript conventions\nglobs: src/**/*.ts\nalwaysApply: false\n"
    "---\n# TypeScript\n\n- Use strict mode\n- Never use `any`\n",
    ".cursor/rules/empty.mdc": "---\ndescription:\nglobs:\nalwaysApply: false\n---\n",
    ".cursor/rules/memtui.mdc": "---\nalwaysApply: true\n---\nSearch memory first.\n",
    ".cursor/mcp.json": "{}\n",
    ".github/copilot-instructions.md": "# Copilot\n\n- Prefer composition over inheritance\n",
    ".github/instructions/tests.instructions.md": '---\napplyTo: "**/*.test.ts"\n---\n- One assertion a test\n',
    ".github/workflows/ci.md": "# CI\n\nnothing of ours\n",
    ".cursorrules": "See [AGENTS.md](AGENTS.md) for all rules.\n",
    ".windsurf/rules/api.md": "---\ntrigger: glob\nglobs: api/**\n---\n- Every endpoint answers within 200 ms\n",
    "memory-bank/projectbrief.md": "# Project Brief\n\nA shop for one person's ceramics.\n\n## Goals\n"
    "- [TO BE DEFINED - what success looks like]\n",
    "memory-bank/activeContext.md": "# Active Context\n\n## Current Work Focus\n- Moving the cart to Redis\n\n"
    "## Next Steps\n- Delete the old cart table\n",
    "memory-bank/progress.md": "# Progress\n\n## What Works\n- Checkout\n\n## What's Left to Build\n- Refunds\n"
    "- [x] Invoices\n",
    "memory-bank/README.md": "# Memory bank\n\nThis directory holds ...\n",
    ".clinerules/memory-bank.md": "# Cline's Memory Bank\n\nI am Cline, an expert software engineer with a unique "
    "characteristic: my memory resets completely between sessions.\n",
    ".clinerules/git.md": "- Rebase instead of merging\n",
    ".kiro/steering/tech.md": "---\ninclusion: always\n---\n# Tech\n\n- PostgreSQL 16, no ORM\n",
    ".kiro/specs/cart/requirements.md": "# Requirements\n\n## Requirement 1\n"
    "- WHEN a cart is older than a day, THE SYSTEM SHALL empty it\n",
    ".kiro/specs/cart/design.md": "# Design\n\nA cart is a hash.\n",
    ".kiro/specs/cart/tasks.md": "# Tasks\n\n- [x] 1. Write the hash\n- [ ] 2. Expire it\n",
}

PACKED = {
    "sessions": [
        {"id": "s-1", "project": "shop", "started_at": "2026-07-01 09:00:00", "summary": "Refunds were drawn up."},
        {"id": "s-2", "project": "shop", "started_at": "2026-07-02 09:00:00"},
    ],
    "observations": [
        {"id": 7, "sync_id": "obs-1", "session_id": "s-1", "type": "decision", "title": "Refunds are bookings",
         "content": "A refund is a booking of its own, never a change.", "project": "shop", "scope": "project",
         "created_at": "2026-07-01 09:30:00", "updated_at": "2026-07-01 09:30:00"},
        {"id": 8, "sync_id": "obs-2", "session_id": "s-1", "type": "manual", "title": "", "content": "Taken back.",
         "created_at": "2026-07-01 09:31:00", "deleted_at": "2026-07-01 10:00:00"},
        {"id": 9, "sync_id": "obs-3", "session_id": "s-1", "type": "session_summary", "title": "Session summary: shop",
         "content": "## Goal\nDraw up how refunds are booked.\n\n## Discoveries\n- Refunds are rare\n",
         "created_at": "2026-07-01 09:40:00"},
    ],
    "prompts": [{"id": 1, "content": "what is left?"}],
}  # fmt: skip
"""What engram hands on in a repository, before it is packed."""

CLAUDE_MEM = """
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
 memory_session_id TEXT UNIQUE, project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT,
 started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER,
 status TEXT NOT NULL DEFAULT 'active');
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
 text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
 files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT,
 created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
 project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT,
 files_edited TEXT, notes TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
 prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE directives (id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL DEFAULT 'global', project TEXT,
 content TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'active', source TEXT NOT NULL DEFAULT 'manual',
 created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, updated_at_epoch INTEGER NOT NULL);
CREATE VIRTUAL TABLE observations_fts USING fts5(title, narrative, content='observations', content_rowid='id');
INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, started_at_epoch) VALUES
 ('0aa1c7de-1111-4222-8333-0123456789ab', 'mem-1', 'shop', '2026-08-01T10:00:00Z', 1785578400000);
INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read,
 files_modified, created_at, created_at_epoch) VALUES
 ('mem-1', 'shop', 'decision', 'Cart moves to Redis', 'faster', '["Carts expire after a day, by TTL","Keys begin with cart:"]',
 'The cart table was the hottest one, so carts go to Redis.', '["architecture","performance"]', '["cart.py"]',
 '["cart.py","redis.py"]', '2026-08-01T10:05:00Z', 1785578700000),
 ('mem-1', 'shop', 'bugfix', 'Totals were off by one cent', '', '[]', 'Rounding happened per line.', '["gotcha"]', '[]',
 '["total.py"]', '2026-08-01T10:20:00Z', 1785579600000);
INSERT INTO session_summaries (memory_session_id, project, request, learned, completed, next_steps, created_at,
 created_at_epoch) VALUES ('mem-1', 'shop', 'Make the cart faster', 'Redis keeps carts well.', 'Moved carts.',
 'Delete the old table.', '2026-08-01T11:00:00Z', 1785582000000);
INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch) VALUES
 ('0aa1c7de-1111-4222-8333-0123456789ab', 1, 'make the cart faster', '2026-08-01T10:00:00Z', 1785578400000);
INSERT INTO directives (content, created_at, created_at_epoch, updated_at_epoch) VALUES
 ('Answer in English', '2026-07-01T00:00:00Z', 1782864000000, 1782864000000);
"""

ENGRAM = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL,
 started_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT, summary TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL,
 type TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, tool_name TEXT, project TEXT,
 scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT, normalized_hash TEXT, revision_count INTEGER NOT NULL DEFAULT 1,
 duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')),
 updated_at TEXT NOT NULL DEFAULT (datetime('now')), deleted_at TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL,
 content TEXT NOT NULL, project TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE memory_relations (id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, source_id TEXT, target_id TEXT,
 relation TEXT NOT NULL DEFAULT 'pending', reason TEXT, judgment_status TEXT NOT NULL DEFAULT 'pending');
INSERT INTO sessions VALUES ('s-1', 'shop', '/home/ana/shop', '2026-07-02 08:00:00', '2026-07-02 09:00:00',
 'Settled how stock is counted');
INSERT INTO observations (sync_id, session_id, type, title, content, project, scope, topic_key, revision_count,
 created_at, updated_at, deleted_at) VALUES
 ('obs-1', 's-1', 'architecture', 'Stock', 'Stock is counted in the database, never in the cache.', 'shop', 'project',
 'architecture/stock', 2, '2026-07-02 08:10:00', '2026-07-02 08:30:00', NULL),
 ('obs-2', 's-1', 'preference', 'Tone', 'Error messages are kind.', 'shop', 'personal', NULL, 1,
 '2026-07-02 08:20:00', '2026-07-02 08:20:00', NULL),
 ('obs-3', 's-1', 'discovery', 'Old stock', 'Stock is counted in the cache.', 'shop', 'project', NULL, 1,
 '2026-06-02 08:20:00', '2026-06-02 08:20:00', NULL),
 ('obs-4', 's-1', 'manual', 'Gone', 'Was deleted.', 'shop', 'project', NULL, 1, '2026-06-02 08:20:00',
 '2026-06-02 08:20:00', '2026-06-03 00:00:00');
INSERT INTO memory_relations (sync_id, source_id, target_id, relation, judgment_status) VALUES
 ('rel-1', 'obs-1', 'obs-3', 'supersedes', 'judged');
"""

OPENCODE = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
 directory text NOT NULL, title text NOT NULL, version text NOT NULL, agent text, time_created integer NOT NULL,
 time_updated integer NOT NULL, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
INSERT INTO session VALUES ('ses_01', '9c1f', NULL, 'cart', '/home/ana/shop', 'Move the cart to Redis', '1.2', 'build',
 1755000000000, 1755000600000, NULL), ('ses_02', '9c1f', 'ses_01', 'sub', '/home/ana/shop', 'sub-agent', '1.2', NULL,
 1755000000000, 1755000600000, NULL), ('ses_03', '9c1f', NULL, 'old', '/home/ana/shop', 'An old one', '1.1', NULL,
 1745000000000, 1745000600000, 1746000000000);
"""


def make_database(file: Path, schema: str) -> Path:
    """A database as its tool leaves it when it is closed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA journal_mode=wal")
    connection.execute(schema)
    connection.close()
    return file


def build(root: Path) -> tuple[Path, Path]:
    """The user's directory and the project's, a checkout, below `root`."""
    user, project = root / "ana", root / "shop"
    for base, files in ((user, USER), (project, PROJECT)):
        for path, text in files.items():
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            (base / path).write_text(text.replace("VAULT", (user / "vault").as_posix()), encoding="utf-8")
    make_database(user / ".claude-mem/claude-mem.db", CLAUDE_MEM)
    make_database(user / ".engram/engram.db", ENGRAM)
    (project / ".engram/chunks").mkdir()
    (project / ".engram/chunks/37cf446f.jsonl.gz").write_bytes(gzip.compress(json.dumps(PACKED).encode()))
    (project / ".git").mkdir()
    (project / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return user, project
