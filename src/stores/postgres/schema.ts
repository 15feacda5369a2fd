// As in SQLite, calls, events and denials refer to trees and scopes by their ordinals, a tenth of the size of an id.
// Text is compared byte by byte, as JavaScript and SQLite do.
const FIRST = `
CREATE TABLE ledger (
  only_row smallint PRIMARY KEY CHECK (only_row = 1),
  id text NOT NULL,
  schema integer NOT NULL
);
INSERT INTO ledger VALUES (1, md5(random()::text || clock_timestamp()::text), 1);

-- One transaction takes one number. It is the number of its change, and the first of its reservations.
CREATE SEQUENCE numbers INCREMENT BY 1000000 START WITH 1000000;

-- Locked first by everything that changes a tree.
CREATE TABLE roots (
  id text COLLATE "C" PRIMARY KEY,
  change bigint NOT NULL,
  written xid8 NOT NULL
);
CREATE INDEX roots_written ON roots (written);

CREATE TABLE scopes (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  root text COLLATE "C" NOT NULL,
  parent text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  labels text NOT NULL,
  opened_at bigint NOT NULL,
  owner text COLLATE "C",
  is_orphaned bigint NOT NULL,
  status text NOT NULL,
  is_ended bigint NOT NULL,
  closed_at bigint,
  pause text,
  occupies_place bigint NOT NULL,
  revision bigint NOT NULL,
  limits text NOT NULL,
  ceilings text,
  series text NOT NULL,
  active_ms bigint NOT NULL,
  open_children bigint NOT NULL,
  change bigint NOT NULL,
  steered bigint NOT NULL,
  about text,
  told bigint NOT NULL,
  forgotten bigint NOT NULL DEFAULT 0,
  steered_by xid8
) WITH (fillfactor = 70);
CREATE INDEX scopes_below ON scopes (parent) WHERE is_ended = 0;
CREATE INDEX scopes_owned ON scopes (owner) WHERE is_ended = 0;
CREATE INDEX scopes_changed ON scopes (root, change);
CREATE INDEX scopes_steered ON scopes (steered_by) WHERE steered_by IS NOT NULL;
CREATE INDEX scopes_named ON scopes (parent, name);

CREATE TABLE counters (
  scope text COLLATE "C" NOT NULL,
  series bigint NOT NULL,
  start_ms bigint NOT NULL,
  end_ms bigint NOT NULL,
  settled bigint NOT NULL CHECK (settled >= 0),
  reserved bigint NOT NULL CHECK (reserved >= 0),
  announced text,
  PRIMARY KEY (scope, series, start_ms)
) WITH (fillfactor = 70);

CREATE TABLE holds (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope text COLLATE "C" NOT NULL,
  limit_key text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  UNIQUE (scope, limit_key, holder)
);
CREATE INDEX holds_of_holder ON holds (holder);

CREATE TABLE calls (
  sequence bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  root bigint NOT NULL,
  scope bigint NOT NULL,
  holder text COLLATE "C" NOT NULL,
  state text NOT NULL,
  at_ms bigint NOT NULL,
  fixed text,
  elastic text,
  units bigint NOT NULL,
  reserved text NOT NULL,
  charged text,
  crossings text,
  about text,
  ending text,
  facts text,
  ended_at bigint,
  told bigint,
  corrected bigint,
  corrected_at bigint,
  assumed text
);
CREATE INDEX calls_of_scope ON calls (scope);
CREATE INDEX calls_unfinished ON calls (state, holder) WHERE state IN ('open', 'assumed');
CREATE UNIQUE INDEX calls_told ON calls (root, told) WHERE told IS NOT NULL;
CREATE UNIQUE INDEX calls_corrected ON calls (root, corrected) WHERE corrected IS NOT NULL;

CREATE TABLE events (
  root bigint NOT NULL,
  number bigint NOT NULL,
  scope bigint NOT NULL,
  at_ms bigint NOT NULL,
  event text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (root, number)
);
CREATE INDEX events_of_scope ON events (scope);
CREATE INDEX events_of_ends ON events (at_ms, scope) WHERE event = 'scope_closed';

CREATE TABLE denials (
  scope bigint NOT NULL,
  meter text NOT NULL,
  per text NOT NULL,
  resets_at bigint NOT NULL,
  count bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (scope, meter, per, resets_at)
);

CREATE TABLE holders (
  holder text COLLATE "C" PRIMARY KEY,
  beats bigint NOT NULL,
  beat_at bigint,
  died_at bigint
);

CREATE TABLE requests (
  id text COLLATE "C" PRIMARY KEY,
  scope text COLLATE "C" NOT NULL,
  limit_key text COLLATE "C" NOT NULL,
  status text NOT NULL,
  opened_at bigint NOT NULL,
  body text NOT NULL
);
CREATE INDEX requests_open ON requests (limit_key) WHERE status = 'open';

CREATE TABLE keys (
  id text COLLATE "C" PRIMARY KEY,
  scope text COLLATE "C" NOT NULL,
  hash text NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  revoked_at bigint,
  body text NOT NULL
);
CREATE INDEX keys_of_scope ON keys (scope);

CREATE TABLE documents (
  scope text COLLATE "C" PRIMARY KEY,
  body text NOT NULL
);

CREATE TABLE journal (
  entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  root text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  body text NOT NULL,
  totals text,
  hash bytea NOT NULL,
  UNIQUE (root, place)
);
CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the journal is append-only'; END $$;
CREATE TRIGGER journal_is_append_only BEFORE UPDATE ON journal
  FOR EACH ROW EXECUTE FUNCTION journal_is_append_only();
`

// The parts of a call's cost.
const COSTS = 'ALTER TABLE calls ADD COLUMN costs text'

// Sums of pruned calls: permanent, by the hour in which they were reserved.
const SUMS = `
ALTER TABLE ledger ADD COLUMN pruned_at bigint;
ALTER TABLE roots ADD COLUMN pruned bigint NOT NULL DEFAULT 0;
CREATE INDEX calls_made ON calls USING brin (at_ms);

CREATE TABLE sums (
  hour bigint NOT NULL,
  root bigint NOT NULL,
  agent_type text COLLATE "C" NOT NULL,
  call text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  amounts text NOT NULL,
  costs text,
  PRIMARY KEY (hour, root, agent_type, call, name)
);
`

// The values that alert rules are compared with, per tree and for the whole ledger.
const ALERTS = `
ALTER TABLE scopes ADD COLUMN watch text;

CREATE TABLE kept (
  name text COLLATE "C" PRIMARY KEY,
  body text NOT NULL
);
`

/** Each takes the database one version further. Append only. */
export const MIGRATIONS: readonly string[] = [FIRST, COSTS, SUMS, ALERTS]
