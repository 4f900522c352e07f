-- From version 2 to 3: what the MPI library has itself is kept beside the measurements.

CREATE TABLE library_algorithm (
  id         INTEGER PRIMARY KEY,
  machine_id INTEGER NOT NULL REFERENCES machine(id),
  collective TEXT NOT NULL,
  name       TEXT NOT NULL,          -- a case of it has 'LIBRARY:NAME' as its algorithm
  value      INTEGER NOT NULL,
  UNIQUE (machine_id, collective, name)
);

CREATE TABLE default_tree (
  id         INTEGER PRIMARY KEY,
  machine_id INTEGER NOT NULL REFERENCES machine(id),
  name       TEXT NOT NULL,          -- of the layer: mpir | ch4 | posix
  json       TEXT NOT NULL,
  UNIQUE (machine_id, name)
);
