-- The results database, version 10. Durations in seconds where a column's name says nothing else,
-- sizes in bytes, dates in UTC (ISO 8601). Other programs read the views at the end: their names,
-- columns, units and meanings stay in all versions 0.x, while columns may be added and tables may
-- change (docs/files.md). C++ embeds this file at build time. A change here needs the next number in
-- `PRAGMA user_version` and kSchemaVersion (results/database.hpp): files of another version are
-- refused.

PRAGMA application_id = 1112229206;  -- "BKEV": tells our files from other people's
PRAGMA user_version = 10;

-- Machines that cases ran on. Another version or other settings of the library, or another processor, are
-- another machine.
CREATE TABLE machine (
  id              INTEGER PRIMARY KEY,
  name            TEXT NOT NULL,     -- as asked: "mpich", "openmpi", "postal:alpha=1e-06,..."
  kind            TEXT NOT NULL CHECK (kind IN ('library', 'model')),
  library_version TEXT NOT NULL,     -- first line of MPI_Get_library_version; '' for a model
  cpu             TEXT NOT NULL,     -- '' for a model
  settings        TEXT NOT NULL,     -- of the library and the transports, that somebody made and that
                                     -- change measurements: 'NAME=VALUE; NAME=VALUE', or 'none'
  settings_origin TEXT NOT NULL,     -- the same with where each came from first: 'NAME=VALUE (ORIGIN)'
  UNIQUE (name, kind, library_version, cpu, settings)
);

-- The algorithms that a machine's MPI library says it has itself, and the values of the control
-- variables that force them, for tables that the library reads.
CREATE TABLE library_algorithm (
  id         INTEGER PRIMARY KEY,
  machine_id INTEGER NOT NULL REFERENCES machine(id),
  collective TEXT NOT NULL,
  form       TEXT NOT NULL,          -- blocking | nonblocking, for persistent calls, too
  name       TEXT NOT NULL,          -- a case of it has 'LIBRARY:NAME' as its algorithm
  value      INTEGER NOT NULL,
  UNIQUE (machine_id, collective, form, name)
);

-- The selection trees that are built into MPICH.
CREATE TABLE default_tree (
  id         INTEGER PRIMARY KEY,
  machine_id INTEGER NOT NULL REFERENCES machine(id),
  name       TEXT NOT NULL,          -- of the layer: mpir | ch4 | posix
  json       TEXT NOT NULL,
  UNIQUE (machine_id, name)
);

-- Requests to measure: a request's plan without the stored cases remains.
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
  sync           TEXT NOT NULL,      -- how ranks begin together: SyncMethod of
                                     -- core/synchronisation.hpp; '' for a model or not known
  clock_sync     TEXT NOT NULL,      -- how they share a clock: its ClockSync, or ''
  timer          TEXT NOT NULL,      -- what a rank reads: its Timer, or ''
  run_time       TEXT NOT NULL,      -- what the medians are of: local | global durations
  outliers_dropped INTEGER NOT NULL, -- 1: the medians leave out what lies beyond Tukey's fences
  started_at     TEXT NOT NULL,      -- with milliseconds
  ended_at       TEXT,               -- NULL: killed, or still running
  outcome        TEXT                -- 'complete', or why it ended before its last case
);

-- The times of a launch without collectives, measured before its first case.
CREATE TABLE calibration (
  launch_id INTEGER NOT NULL REFERENCES launch(id),
  probe     TEXT NOT NULL,           -- Probe of core/calibration.hpp: 'arithmetic', 'memory copy' ...
  time_s    REAL NOT NULL,
  PRIMARY KEY (launch_id, probe)
) WITHOUT ROWID;

CREATE TABLE "case" (
  id             INTEGER PRIMARY KEY,
  machine_id     INTEGER NOT NULL REFERENCES machine(id),
  collective     TEXT NOT NULL,
  form           TEXT NOT NULL,      -- of the call: blocking | nonblocking | persistent; times are
                                     -- from its start to its completion
  algorithm      TEXT NOT NULL,      -- 'native': the library's own collective as it comes;
                                     -- 'openmpi:ring': one of the library's own algorithms
  params         TEXT NOT NULL,      -- 'key=value,...'; '' for none
  procs          INTEGER NOT NULL,
  nodes          INTEGER NOT NULL,
  procs_per_node INTEGER NOT NULL,
  mapping        TEXT NOT NULL,
  comms_per_node INTEGER NOT NULL,   -- communicators of this layout that call at once on the same
                                     -- nodes; 1 for a whole job
  message_bytes  INTEGER NOT NULL,   -- MPI's count times the type's size: the vector of allreduce,
                                     -- bcast, reduce; one process's block of the others, the
                                     -- mean one where counts differ
  datatype       TEXT NOT NULL,
  op             TEXT NOT NULL,      -- 'none' where nothing is reduced
  root           INTEGER NOT NULL,   -- 0 where there is none
  counts         TEXT NOT NULL,      -- Counts of core/counts.hpp: how the blocks of allgatherv,
                                     -- alltoallv, alltoallw, gatherv, reduce_scatter, scatterv differ
  UNIQUE (machine_id, collective, form, algorithm, params, procs, nodes, procs_per_node, mapping,
          comms_per_node, message_bytes, datatype, op, root, counts)
);

-- All samples of a case in one launch, or why there are none.
CREATE TABLE measurement (
  id              INTEGER PRIMARY KEY,
  case_id         INTEGER NOT NULL REFERENCES "case"(id),
  launch_id       INTEGER NOT NULL REFERENCES launch(id),
  repeat          INTEGER NOT NULL,  -- of the launch: no case is measured twice in one repeat
  samples         INTEGER NOT NULL,  -- 0 when it failed
  median_s        REAL,              -- of the launch's run time; NULL when it failed
  low_s           REAL,              -- the interval of this median in this launch
  high_s          REAL,
  global_median_s REAL,              -- of the durations on the global clock; NULL without one
  rank_mean_min_s REAL,              -- of each rank's mean duration: the least, the mean and the
  rank_mean_avg_s REAL,              -- greatest over the ranks; NULL where they are not known
  rank_mean_max_s REAL,
  start_s         REAL,              -- time to start a nonblocking or persistent call
  make_s          REAL,              -- time to make a persistent call and to free it
  call_s          REAL,              -- time from the start to the completion, without work
  work_s          REAL,              -- time of the work (arithmetic) alone
  worked_s        REAL,              -- time of start, work and completion
  tested_s        REAL,              -- the same with calls of MPI_Test in the work
  test_every_s    REAL,              -- time between two of these calls
  failure         TEXT,              -- NULL, or the reason in words
  warmups         INTEGER NOT NULL,  -- calls that are not kept: before the first sample, and between
  invalid         INTEGER NOT NULL,  -- repetitions that began or ended too late, not kept either
  outliers        INTEGER,           -- samples beyond Tukey's fences; NULL when not known
  stopped         TEXT NOT NULL,     -- why sampling ended: precise | repetitions | budget | slower;
                                     -- '' when it failed or is not known
  ended_s         REAL,              -- when, after the launch's start; NULL when not known
  CHECK ((failure IS NULL) = (samples > 0)),
  CHECK ((median_s IS NULL) = (samples = 0)),
  CHECK ((low_s IS NULL) = (samples = 0) AND (high_s IS NULL) = (samples = 0)),
  UNIQUE (case_id, repeat)
);
CREATE INDEX measurement_launch ON measurement (launch_id);

-- The samples in the order measured. A blob holds the differences of consecutive durations in whole
-- picoseconds, the first from 0, each as a LEB128 number of its zigzag code (results/picoseconds.hpp).
CREATE TABLE durations (
  measurement_id INTEGER PRIMARY KEY REFERENCES measurement(id),
  local_ps       BLOB NOT NULL,      -- the slowest rank's own duration
  global_ps      BLOB                -- from the first rank's start to the last one's end on the
                                     -- global clock; NULL without one
);

-- Predictors: a model, or the text of a machine file.
CREATE TABLE predictor (
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);

-- The predicted time of a case. Its measured times are in `measurement`; a pruned case has none.
CREATE TABLE prediction (
  id           INTEGER PRIMARY KEY,
  case_id      INTEGER NOT NULL REFERENCES "case"(id),
  predictor_id INTEGER NOT NULL REFERENCES predictor(id),
  time_s       REAL NOT NULL,
  low_s        REAL,                 -- its 95 % interval; NULL where the parameters have none
  high_s       REAL,
  UNIQUE (case_id, predictor_id)
);

-- Conclusions from all measurements of a machine, for readers of the database: the program itself
-- computes them anew. A sweep stores them at its end; the next launch deletes them.
CREATE TABLE estimate (
  case_id         INTEGER PRIMARY KEY REFERENCES "case"(id),
  median_s        REAL,              -- over the launches, as measured
  median_low_s    REAL,              -- its 95 % interval; NULL with one launch
  median_high_s   REAL,
  time_s          REAL,              -- in the problem's median launch: candidates compare
  low_s           REAL,              -- its 95 % interval; NULL with one launch of the problem
  high_s          REAL,
  speedup         REAL,              -- native's time / this one's, paired by launch; NULL without
                                     -- native
  speedup_low     REAL,              -- its 95 % interval; NULL where each candidate has one launch
  speedup_high    REAL,
  paired_launches INTEGER NOT NULL,  -- that measured native too; all launches without native
  place           INTEGER NOT NULL,  -- 1: the fastest of its problem
  near_best       REAL               -- NULL but for the choice of a table of blocking calls, made
                                     -- without a program's profile: the probability that it is
                                     -- within 3 % of the fastest
);
CREATE TRIGGER launch_begins AFTER INSERT ON launch BEGIN
  DELETE FROM estimate WHERE case_id IN
    (SELECT id FROM "case" WHERE machine_id = NEW.machine_id);
END;

-- The doctor's findings on a machine before it was measured.
CREATE TABLE inspection (
  id           INTEGER PRIMARY KEY,
  machine_id   INTEGER NOT NULL REFERENCES machine(id),
  inspected_at TEXT NOT NULL,
  report       TEXT NOT NULL         -- JSON object
);

-- The views, in SQL that DuckDB reads too. Columns have the meanings that they have in the tables.

-- A case, with all its keys. `problem` is all of them but the algorithm and its parameters.
CREATE VIEW cases AS
SELECT "case".id AS case_id, machine_id, machine.name AS machine, library_version, cpu, settings,
       collective || ' ' || form || ' ' || procs || ' ' || nodes || 'x' || procs_per_node ||
         '*' || comms_per_node || ' ' || mapping || ' ' || message_bytes || ' ' || datatype || ' ' ||
         op || ' ' || root || ' ' || counts AS problem,
       collective, form, algorithm, params, procs, nodes, procs_per_node, mapping, comms_per_node,
       message_bytes, datatype, op, root, counts
FROM "case" JOIN machine ON machine.id = machine_id;

-- A launch of a machine.
CREATE VIEW launches AS
SELECT launch.id AS launch_id, machine_id, machine.name AS machine, library_version, cpu, settings,
       procs, nodes, procs_per_node, mapping, repeat, oversubscribed, run_time, outliers_dropped,
       started_at, ended_at, outcome
FROM launch JOIN machine ON machine.id = machine_id;

-- The time of a probe of the machine, without collectives, in a launch.
CREATE VIEW calibrations AS
SELECT launches.*, probe, time_s FROM launches JOIN calibration USING (launch_id);

-- A case in one launch: its times, or why there are none.
CREATE VIEW times AS
SELECT cases.*, launch_id, launch.repeat AS repeat, started_at, oversubscribed, samples, median_s,
       low_s, high_s, global_median_s, rank_mean_min_s, rank_mean_avg_s, rank_mean_max_s, start_s,
       make_s, call_s, work_s, worked_s, tested_s, test_every_s, outliers, stopped, failure
FROM cases JOIN measurement USING (case_id) JOIN launch ON launch.id = launch_id;

-- A case over all launches that measured it. Estimates are NULL from the first launch of a sweep to
-- its end. native_s and fastest_s are the time_s of these candidates of its problem.
CREATE VIEW candidates AS
SELECT cases.*, launches, paired_launches, samples, outliers, oversubscribed,
       median_s, median_low_s, median_high_s, time_s, low_s, high_s,
       speedup, speedup_low, speedup_high, place, near_best,
       max(CASE algorithm WHEN 'native' THEN time_s END) OVER same AS native_s,
       max(CASE place WHEN 1 THEN time_s END) OVER same AS fastest_s
FROM cases
JOIN (SELECT case_id, count(*) AS launches, sum(samples) AS samples, sum(outliers) AS outliers,
             max(oversubscribed) AS oversubscribed
      FROM measurement JOIN launch ON launch.id = launch_id
      WHERE failure IS NULL GROUP BY case_id) AS measured USING (case_id)
LEFT JOIN estimate USING (case_id)
WINDOW same AS (PARTITION BY machine_id, problem);

-- The fastest candidate of each problem.
CREATE VIEW fastest AS SELECT * FROM candidates WHERE place = 1;

-- The choice of a table for each problem of blocking calls, and its regret: the share of time that
-- it takes longer than the fastest.
CREATE VIEW choices AS
SELECT candidates.*, time_s / fastest_s - 1 AS regret FROM candidates WHERE near_best IS NOT NULL;

-- Both sides of a guideline in one launch: the library's default, and another way of the library's
-- to do the same. Above 1 the ratio, left / right, contradicts the guideline.
CREATE VIEW guideline_ratios AS
SELECT sides.*, median_s AS right_s, left_s / median_s AS ratio
FROM (SELECT CASE WHEN algorithm NOT LIKE 'native:%' THEN collective || '_own_algorithms'
                  WHEN form = 'blocking' THEN collective || '_as_' || substr(algorithm, 8)
                  ELSE collective || '_' || form || '_as_' || substr(algorithm, 8)
             END AS guideline, times.*,
             max(CASE algorithm WHEN 'native' THEN median_s END)
               OVER (PARTITION BY launch_id, problem) AS left_s
      FROM times) AS sides
WHERE algorithm LIKE '%:%' AND left_s > 0 AND median_s > 0;

-- A predicted time of a case, and its error: measured / predicted - 1.
CREATE VIEW predictions AS
SELECT cases.*, predictor.text AS predictor, prediction.time_s AS predicted_s,
       prediction.low_s AS predicted_low_s, prediction.high_s AS predicted_high_s,
       estimate.time_s AS measured_s, estimate.time_s / prediction.time_s - 1 AS error
FROM cases JOIN prediction USING (case_id) JOIN predictor ON predictor.id = predictor_id
LEFT JOIN estimate USING (case_id);
