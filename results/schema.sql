-- The results database, version 1. Durations in seconds, sizes in bytes, dates in UTC (ISO 8601).
-- C++ embeds this file at build time; the plots read the same tables. A change here needs the next
-- number in `PRAGMA user_version` and a step in results/migrate.cpp that leads to it.

PRAGMA application_id = 1112229206;  -- "BKEV": tells our files from other people's
PRAGMA user_version = 1;

-- What cases ran on. Another version of the library or another processor is another machine.
CREATE TABLE machine (
  id              INTEGER PRIMARY KEY,
  name            TEXT NOT NULL,     -- as asked: "mpich", "openmpi", "postal:alpha=1e-06,..."
  kind            TEXT NOT NULL CHECK (kind IN ('library', 'model')),
  library_version TEXT NOT NULL,     -- first line of MPI_Get_library_version; '' for a model
  cpu             TEXT NOT NULL,     -- '' for a model
  UNIQUE (name, kind, library_version, cpu)
);

-- What was asked to be measured: its plan less what is stored is what remains.
CREATE TABLE sweep (
  id         INTEGER PRIMARY KEY,
  machine_id INTEGER NOT NULL REFERENCES machine(id),
  request    TEXT NOT NULL,          -- a sweep file (TOML) with every setting
  asked_at   TEXT NOT NULL,          -- the first time
  UNIQUE (machine_id, request)
);

-- One start of the MPI job (or of the model): the unit of every statistical statement.
CREATE TABLE launch (
  id             INTEGER PRIMARY KEY,
  machine_id     INTEGER NOT NULL REFERENCES machine(id),
  procs          INTEGER NOT NULL,
  nodes          INTEGER NOT NULL,
  procs_per_node INTEGER NOT NULL,
  mapping        TEXT NOT NULL,      -- seq | rr
  repeat         INTEGER NOT NULL,   -- 0-based; a launch that goes on after a crash keeps it
  seed           INTEGER NOT NULL,   -- of the order in which the cases ran; 64 bits, shown signed
  command        TEXT NOT NULL,      -- the launcher's command line; '' for a model
  placement      TEXT NOT NULL,      -- JSON array: the host of each rank
  environment    TEXT NOT NULL,      -- JSON object: host, cores, kernel, governor, git commit, ...
  oversubscribed INTEGER NOT NULL,   -- 1: more processes than cores on some node
  started_at     TEXT NOT NULL,
  ended_at       TEXT,               -- NULL: killed, or still running
  outcome        TEXT                -- 'complete', or why it ended before its last case
);

CREATE TABLE "case" (
  id             INTEGER PRIMARY KEY,
  machine_id     INTEGER NOT NULL REFERENCES machine(id),
  collective     TEXT NOT NULL,
  algorithm      TEXT NOT NULL,      -- 'native': the library's own collective
  params         TEXT NOT NULL,      -- 'key=value,...'; '' for none
  procs          INTEGER NOT NULL,
  nodes          INTEGER NOT NULL,
  procs_per_node INTEGER NOT NULL,
  mapping        TEXT NOT NULL,
  message_bytes  INTEGER NOT NULL,   -- MPI's count times the type's size: the vector of allreduce,
                                     -- bcast, reduce; one process's block of the others
  datatype       TEXT NOT NULL,
  op             TEXT NOT NULL,      -- 'none' where nothing is reduced
  root           INTEGER NOT NULL,   -- 0 where there is none
  UNIQUE (machine_id, collective, algorithm, params, procs, nodes, procs_per_node, mapping,
          message_bytes, datatype, op, root)
);

-- All samples of a case in one launch, or why there are none.
CREATE TABLE measurement (
  id        INTEGER PRIMARY KEY,
  case_id   INTEGER NOT NULL REFERENCES "case"(id),
  launch_id INTEGER NOT NULL REFERENCES launch(id),
  repeat    INTEGER NOT NULL,        -- of the launch: no case is measured twice in one repeat
  samples   INTEGER NOT NULL,        -- 0 when it failed
  median_s  REAL,                    -- NULL when it failed
  failure   TEXT,                    -- NULL, or the reason in words
  warmups   INTEGER NOT NULL,        -- calls that are not kept: before the first sample, and between
  CHECK ((failure IS NULL) = (samples > 0) AND (median_s IS NULL) = (samples = 0)),
  UNIQUE (case_id, repeat)
);
CREATE INDEX measurement_launch ON measurement (launch_id);

CREATE TABLE sample (
  measurement_id INTEGER NOT NULL REFERENCES measurement(id),
  repetition     INTEGER NOT NULL,   -- 0-based, in the order measured
  duration_s     REAL NOT NULL,      -- slowest rank of the repetition
  PRIMARY KEY (measurement_id, repetition)
) WITHOUT ROWID;
