-- A results database of version 1 as the program of then made it, with rows in every table.

PRAGMA application_id = 1112229206;
PRAGMA user_version = 1;

CREATE TABLE machine (
  id              INTEGER PRIMARY KEY,
  name            TEXT NOT NULL,
  kind            TEXT NOT NULL CHECK (kind IN ('library', 'model')),
  library_version TEXT NOT NULL,
  cpu             TEXT NOT NULL,
  UNIQUE (name, kind, library_version, cpu)
);

CREATE TABLE sweep (
  id         INTEGER PRIMARY KEY,
  machine_id INTEGER NOT NULL REFERENCES machine(id),
  request    TEXT NOT NULL,
  asked_at   TEXT NOT NULL,
  UNIQUE (machine_id, request)
);

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
  started_at     TEXT NOT NULL,
  ended_at       TEXT,
  outcome        TEXT
);

CREATE TABLE "case" (
  id             INTEGER PRIMARY KEY,
  machine_id     INTEGER NOT NULL REFERENCES machine(id),
  collective     TEXT NOT NULL,
  algorithm      TEXT NOT NULL,
  params         TEXT NOT NULL,
  procs          INTEGER NOT NULL,
  nodes          INTEGER NOT NULL,
  procs_per_node INTEGER NOT NULL,
  mapping        TEXT NOT NULL,
  message_bytes  INTEGER NOT NULL,

  datatype       TEXT NOT NULL,
  op             TEXT NOT NULL,
  root           INTEGER NOT NULL,
  UNIQUE (machine_id, collective, algorithm, params, procs, nodes, procs_per_node, mapping,
          message_bytes, datatype, op, root)
);

CREATE TABLE measurement (
  id        INTEGER PRIMARY KEY,
  case_id   INTEGER NOT NULL REFERENCES "case"(id),
  launch_id INTEGER NOT NULL REFERENCES launch(id),
  repeat    INTEGER NOT NULL,
  samples   INTEGER NOT NULL,
  median_s  REAL,
  failure   TEXT,
  warmups   INTEGER NOT NULL,
  CHECK ((failure IS NULL) = (samples > 0) AND (median_s IS NULL) = (samples = 0)),
  UNIQUE (case_id, repeat)
);
CREATE INDEX measurement_launch ON measurement (launch_id);

CREATE TABLE sample (
  measurement_id INTEGER NOT NULL REFERENCES measurement(id),
  repetition     INTEGER NOT NULL,
  duration_s     REAL NOT NULL,
  PRIMARY KEY (measurement_id, repetition)
) WITHOUT ROWID;

INSERT INTO machine VALUES (1, 'mpich', 'library', 'MPICH Version: 4.0.2', 'a cpu'),
                           (2, 'postal:alpha=1e-06', 'model', '', '');
INSERT INTO sweep VALUES (1, 1, 'machine = "mpich"', '2026-01-02T03:04:05Z');
INSERT INTO launch VALUES
  (1, 1, 4, 2, 2, 'rr', 0, -5, 'mpiexec -n 4', '["a"]', '{"host": "a"}', 1,
   '2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z', 'complete'),
  (2, 2, 4, 1, 4, 'seq', 1, 6, '', '[]', '{}', 0, '2026-01-02T03:04:06Z', NULL, NULL);
INSERT INTO "case" VALUES
  (1, 1, 'allreduce', 'ring', '', 4, 2, 2, 'rr', 8, 'int', 'sum', 0),
  (2, 1, 'allreduce', 'native', '', 4, 2, 2, 'rr', 8, 'int', 'sum', 0),
  (3, 2, 'bcast', 'binomial', '', 4, 1, 4, 'seq', 1024, 'double', 'none', 2);
INSERT INTO measurement VALUES (1, 1, 1, 0, 7, 4e-6, NULL, 2),
                               (2, 2, 1, 0, 0, NULL, 'it hung', 0),
                               (3, 3, 2, 1, 1, 2.5e-6, NULL, 0);
INSERT INTO sample VALUES (1, 0, 7e-6), (1, 1, 3e-6), (1, 2, 4e-6), (1, 3, 1.0000004e-6),
                          (1, 4, 5e-6), (1, 5, 2e-6), (1, 6, 6e-6), (3, 0, 2.5e-6);
