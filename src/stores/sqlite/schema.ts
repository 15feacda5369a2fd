/** Marks a file as a Stint ledger: "stnt" in ASCII. */
export const APPLICATION_ID = 0x73746e74

const FIRST = `
CREATE TABLE ledger (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  change INTEGER NOT NULL,
  pruned INTEGER NOT NULL
) STRICT;
INSERT INTO ledger VALUES (1, lower(hex(randomblob(16))), 0, 0, 0);

CREATE TABLE scopes (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  parent TEXT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  labels TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  owner TEXT,
  is_orphaned INTEGER NOT NULL,
  status TEXT NOT NULL,
  is_ended INTEGER NOT NULL,
  closed_at INTEGER,
  pause TEXT,
  occupies_place INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  limits TEXT NOT NULL,
  series TEXT NOT NULL,
  active_ms INTEGER NOT NULL,
  open_children INTEGER NOT NULL,
  change INTEGER NOT NULL,
  steered INTEGER NOT NULL
) STRICT;
CREATE INDEX scopes_below ON scopes (parent) WHERE is_ended = 0;
CREATE INDEX scopes_owned ON scopes (owner) WHERE is_ended = 0;
CREATE INDEX scopes_of_root ON scopes (root);
CREATE INDEX scopes_changed ON scopes (change);
CREATE INDEX scopes_steered ON scopes (steered);

CREATE TABLE counters (
  scope TEXT NOT NULL,
  series INTEGER NOT NULL,
  start_ms INTEGER NOT NULL,
  end_ms INTEGER NOT NULL,
  settled INTEGER NOT NULL CHECK (settled >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  announced TEXT,
  PRIMARY KEY (scope, series, start_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE holds (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  limit_key TEXT NOT NULL,
  holder TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  UNIQUE (scope, limit_key, holder)
) STRICT;
CREATE INDEX holds_of_holder ON holds (holder);

CREATE TABLE reservations (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  holder TEXT NOT NULL,
  state TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  fixed TEXT NOT NULL,
  elastic TEXT,
  units INTEGER NOT NULL,
  reserved TEXT NOT NULL,
  charged TEXT,
  crossings TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX reservations_of_scope ON reservations (scope);
CREATE INDEX reservations_unfinished ON reservations (state, holder) WHERE state IN ('open', 'assumed');

CREATE TABLE requests (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  limit_key TEXT NOT NULL,
  status TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_open ON requests (limit_key) WHERE status = 'open';

CREATE TABLE documents (
  scope TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
  entry INTEGER PRIMARY KEY AUTOINCREMENT,
  root TEXT NOT NULL,
  place INTEGER NOT NULL,
  body TEXT NOT NULL,
  totals TEXT,
  hash BLOB NOT NULL,
  UNIQUE (root, place)
) STRICT;
CREATE TRIGGER journal_is_append_only BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
`

const KEYS = `
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_of_scope ON keys (scope);
`

// An entry of the journal may be a list of facts: a version that knows only single facts must not report the file as
// damaged.
const LISTS_OF_FACTS = 'SELECT 1'

const MOVED_ON = 'this ledger was migrated to schema 4 by a newer Stint; end this process and start it with that one'

// Ceilings are stored with their scope, and holders have heartbeats. A process that opened the file before knows
// neither, and doesn't check the version again. It is refused here: each of its transactions ends with an update of the
// ledger row without a stamp. If it adds a scope, that is refused first.
const CEILINGS_AND_HOLDERS = `
ALTER TABLE scopes ADD COLUMN ceilings TEXT;
CREATE TRIGGER scopes_of_schema_4 BEFORE INSERT ON scopes WHEN NEW.ceilings IS NULL
BEGIN SELECT RAISE(ABORT, '${MOVED_ON}'); END;

ALTER TABLE ledger ADD COLUMN stamp INTEGER;
UPDATE ledger SET stamp = change;
CREATE TRIGGER ledger_of_schema_4 BEFORE UPDATE ON ledger WHEN NEW.stamp IS NOT NEW.change
BEGIN SELECT RAISE(ABORT, '${MOVED_ON}'); END;

CREATE TABLE holders (
  holder TEXT PRIMARY KEY,
  beats INTEGER NOT NULL,
  beat_at INTEGER,
  died_at INTEGER
) STRICT, WITHOUT ROWID;
`

// A scope is looked up by its path, from the root down.
const SCOPES_BY_NAME = 'CREATE INDEX scopes_named ON scopes (parent, name)'

// The history. Only adds, whatever the size of the file: calls have their own table, and a row of the old one stays
// there until it is charged. Trees and scopes are referred to by their ordinals, a tenth of the size of an id.
const HISTORY = `
ALTER TABLE scopes ADD COLUMN about TEXT;
ALTER TABLE scopes ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scopes ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

ALTER TABLE ledger ADD COLUMN scopes_before INTEGER NOT NULL DEFAULT 0;
UPDATE ledger SET scopes_before = (SELECT coalesce(max(ordinal), 0) FROM scopes);

CREATE TABLE calls (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  root INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  holder TEXT NOT NULL,
  state TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  fixed TEXT,
  elastic TEXT,
  units INTEGER NOT NULL,
  reserved TEXT NOT NULL,
  charged TEXT,
  crossings TEXT,
  about TEXT,
  ending TEXT,
  facts TEXT,
  ended_at INTEGER,
  told INTEGER,
  corrected INTEGER,
  corrected_at INTEGER,
  assumed TEXT
) STRICT;
CREATE INDEX calls_of_scope ON calls (scope);
CREATE INDEX calls_unfinished ON calls (state, holder) WHERE state IN ('open', 'assumed');
CREATE UNIQUE INDEX calls_told ON calls (root, told) WHERE told IS NOT NULL;
CREATE UNIQUE INDEX calls_corrected ON calls (root, corrected) WHERE corrected IS NOT NULL;

CREATE TABLE events (
  root INTEGER NOT NULL,
  number INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (root, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_of_scope ON events (scope);
CREATE INDEX events_of_ends ON events (at_ms, scope) WHERE event = 'scope_closed';

CREATE TABLE denials (
  scope INTEGER NOT NULL,
  meter TEXT NOT NULL,
  per TEXT NOT NULL,
  resets_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (scope, meter, per, resets_at)
) STRICT, WITHOUT ROWID;
`

// Sums of pruned calls: permanent, by the hour in which they were reserved.
const SUMS = `
ALTER TABLE ledger ADD COLUMN pruned_at INTEGER;

CREATE TABLE sums (
  hour INTEGER NOT NULL,
  root INTEGER NOT NULL,
  agent_type TEXT NOT NULL,
  call TEXT NOT NULL,
  name TEXT NOT NULL,
  calls INTEGER NOT NULL,
  amounts TEXT NOT NULL,
  PRIMARY KEY (hour, root, agent_type, call, name)
) STRICT, WITHOUT ROWID;
`

// Entries of the journal are shorter: an earlier version can't add them up.
const SHORT_FACTS = 'SELECT 1'

// The parts of a call's cost, and of pruned calls' costs.
const COSTS = `
ALTER TABLE calls ADD COLUMN costs TEXT;
ALTER TABLE sums ADD COLUMN costs TEXT;
`

// The values that alert rules are compared with, per tree and for the whole ledger.
const ALERTS = `
ALTER TABLE scopes ADD COLUMN watch TEXT;

CREATE TABLE kept (
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

/** Each takes the file one version further. Append only. */
export const MIGRATIONS: readonly string[] = [
  FIRST,
  KEYS,
  LISTS_OF_FACTS,
  CEILINGS_AND_HOLDERS,
  SCOPES_BY_NAME,
  HISTORY,
  SUMS,
  SHORT_FACTS,
  COSTS,
  ALERTS,
]
