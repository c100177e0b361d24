-- Deadlines, counted resources with holds, leases, idempotency keys.

CREATE TABLE quadrille.deadlines (
  id           uuid        PRIMARY KEY,
  step         text        NOT NULL,
  key          text        NOT NULL,
  saga_id      text        NOT NULL,
  causation_id text        NOT NULL,
  hops         integer     NOT NULL,
  traceparent  text        NOT NULL,
  due_at       timestamptz NOT NULL,
  attempts     integer     NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX deadlines_due ON quadrille.deadlines (due_at);

CREATE TABLE quadrille.quantities (
  resource text   PRIMARY KEY,
  total    bigint NOT NULL,
  held     bigint NOT NULL DEFAULT 0,
  CHECK (held >= 0 AND held <= total)
) WITH (fillfactor = 70);

-- Semantic locks: who holds how much of what, until when.
CREATE TABLE quadrille.holds (
  resource   text        NOT NULL REFERENCES quadrille.quantities,
  holder     text        NOT NULL,
  amount     bigint      NOT NULL CHECK (amount > 0),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (resource, holder)
);
CREATE INDEX holds_expiry ON quadrille.holds (expires_at);

-- Rights that one process at a time has. Judged by this server's clock alone; the epoch fences whoever had it before.
CREATE TABLE quadrille.leases (
  name       text        PRIMARY KEY,
  owner      text        NOT NULL,
  epoch      bigint      NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE quadrille.idempotency_keys (
  scope        text        NOT NULL,
  key          text        NOT NULL,
  request_hash text        NOT NULL,
  status       integer,    -- NULL while the first request is being served
  response     text,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_expiry ON quadrille.idempotency_keys (expires_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON quadrille.deadlines, quadrille.quantities, quadrille.holds, quadrille.leases, quadrille.idempotency_keys
  TO quadrille_service;
