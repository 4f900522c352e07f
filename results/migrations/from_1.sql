-- The tables of version 1 become those of version 2; the samples follow in from_1.cpp.

DROP INDEX measurement_launch;
ALTER TABLE launch RENAME TO launch_1;
ALTER TABLE measurement RENAME TO measurement_1;

CREATE TABLE launch (
  id             INTEGER PRIMARY KEY,
  machine_id     INTEGER NOT NULL REFERENCES machine(id),
  procs          INTEGER NOT NULL,
  nodes          INTEGER NOT NULL,
  procs_per_node INTEGER NOT NULL,
  mapping        TEXT NOT NULL,
  repeat         INTEGER NOT NULL,
  seed           INTEGER NOT NULL,
  command        TEXT NOT NULL,
  placement      TEXT NOT NULL,
  environment    TEXT NOT NULL,
  oversubscribed INTEGER NOT NULL,
  start          TEXT NOT NULL,
  clock          TEXT NOT NULL,
  timer          TEXT NOT NULL,
  run_time       TEXT NOT NULL,
  outliers_dropped INTEGER NOT NULL,
  started_at     TEXT NOT NULL,
  ended_at       TEXT,
  outcome        TEXT
);
-- Sweeps of version 1 name settings that are gone; asking again remembers them anew.
DELETE FROM sweep;
INSERT INTO launch
  SELECT id, machine_id, procs, nodes, procs_per_node, mapping, repeat, seed, command, placement,
         environment, oversubscribed, '', '', '', 'local', 0, started_at, ended_at, outcome FROM launch_1;

CREATE TABLE measurement (
  id              INTEGER PRIMARY KEY,
  case_id         INTEGER NOT NULL REFERENCES "case"(id),
  launch_id       INTEGER NOT NULL REFERENCES launch(id),
  repeat          INTEGER NOT NULL,
  samples         INTEGER NOT NULL,
  median_s        REAL,
  low_s           REAL,
  high_s          REAL,
  global_median_s REAL,
  rank_mean_min_s REAL,
  rank_mean_avg_s REAL,
  rank_mean_max_s REAL,
  failure         TEXT,
  warmups         INTEGER NOT NULL,
  invalid         INTEGER NOT NULL,
  outliers        INTEGER,
  stopped         TEXT NOT NULL,
  ended_s         REAL,
  CHECK ((failure IS NULL) = (samples > 0)),
  CHECK ((median_s IS NULL) = (samples = 0)),
  CHECK ((low_s IS NULL) = (samples = 0) AND (high_s IS NULL) = (samples = 0)),
  UNIQUE (case_id, repeat)
);
CREATE INDEX measurement_launch ON measurement (launch_id);
INSERT INTO measurement
  SELECT id, case_id, launch_id, repeat, samples, median_s, median_s, median_s, NULL, NULL, NULL, NULL,
         failure, warmups, 0, NULL, '', NULL FROM measurement_1;

CREATE TABLE durations (
  measurement_id INTEGER PRIMARY KEY REFERENCES measurement(id),
  local_ps       BLOB NOT NULL,
  global_ps      BLOB
);
CREATE TABLE dropped (
  case_id  INTEGER PRIMARY KEY REFERENCES "case"(id),
  launches INTEGER NOT NULL,
  reason   TEXT NOT NULL
);
CREATE TABLE inspection (
  id           INTEGER PRIMARY KEY,
  machine_id   INTEGER NOT NULL REFERENCES machine(id),
  inspected_at TEXT NOT NULL,
  report       TEXT NOT NULL
);
