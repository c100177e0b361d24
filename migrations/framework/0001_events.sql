-- Streams, events and the outbox. A service appends and reads; it never changes or removes an event.

-- Roles belong to the whole server, so another participant's database may have made it already.
DO $$
BEGIN
  CREATE ROLE quadrille_service NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;

GRANT USAGE ON SCHEMA quadrille TO quadrille_service;

CREATE TABLE quadrille.streams (
  category text   NOT NULL,
  key      text   NOT NULL,
  version  bigint NOT NULL CHECK (version > 0),
  PRIMARY KEY (category, key)
);

CREATE TABLE quadrille.events (
  position     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tx           xid8        NOT NULL DEFAULT pg_current_xact_id(),
  id           uuid        NOT NULL UNIQUE,
  type         text        NOT NULL,
  source       text        NOT NULL,
  subject      text        NOT NULL,
  category     text        NOT NULL,
  key          text        NOT NULL,
  version      bigint      NOT NULL,
  saga_id      text        NOT NULL,
  causation_id text        NOT NULL,
  hops         integer     NOT NULL,
  contract     text        NOT NULL,
  traceparent  text        NOT NULL,
  recorded_at  timestamptz NOT NULL DEFAULT now(),
  payload      bytea       NOT NULL,
  UNIQUE (category, key, version)
);
-- Position is taken before commit, so its order is not the order of commits: readers go by (tx, position) and stay below
-- pg_snapshot_xmin(pg_current_snapshot()).
CREATE INDEX events_commit_order ON quadrille.events (tx, position);

-- What is not known to be at the broker. Vacuumed early and at full speed, so that polls do not walk dead rows.
CREATE TABLE quadrille.outbox (
  position bigint PRIMARY KEY
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

-- Appends events, given as parallel arrays in which those of one stream are in version order, and queues them in the outbox.
-- Returns NULL, or the name of a stream that has moved; the caller then rolls back. A conflict is a result and not an
-- exception, so nobody has to parse a message.
CREATE FUNCTION quadrille.append(
  ids uuid[], types text[], sources text[], subjects text[], categories text[], keys text[], versions bigint[],
  saga_ids text[], causation_ids text[], hop_counts integer[], contracts text[], traceparents text[], payloads bytea[])
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  conflict text;
BEGIN
  WITH ends AS (
    SELECT g.category, g.key, min(g.version) AS first, max(g.version) AS last
    FROM unnest(append.categories, append.keys, append.versions) AS g (category, key, version)
    GROUP BY g.category, g.key
  ), opened AS (
    INSERT INTO quadrille.streams AS s (category, key, version)
    SELECT e.category, e.key, e.last FROM ends e WHERE e.first = 1 ORDER BY e.category, e.key
    ON CONFLICT DO NOTHING
    RETURNING s.category, s.key
  ), moved AS (
    UPDATE quadrille.streams s SET version = e.last
    FROM ends e
    WHERE e.first > 1 AND s.category = e.category AND s.key = e.key AND s.version = e.first - 1
    RETURNING s.category, s.key
  ), done AS (
    SELECT category, key FROM opened UNION ALL SELECT category, key FROM moved
  )
  SELECT e.category || '-' || e.key INTO conflict
  FROM ends e LEFT JOIN done d USING (category, key)
  WHERE d.key IS NULL
  LIMIT 1;
  IF conflict IS NOT NULL THEN
    RETURN conflict;
  END IF;

  WITH recorded AS (
    INSERT INTO quadrille.events AS e (id, type, source, subject, category, key, version, saga_id, causation_id, hops, contract, traceparent, payload)
    SELECT g.id, g.type, g.source, g.subject, g.category, g.key, g.version, g.saga_id, g.causation_id, g.hops, g.contract, g.traceparent, g.payload
    FROM unnest(append.ids, append.types, append.sources, append.subjects, append.categories, append.keys, append.versions,
                append.saga_ids, append.causation_ids, append.hop_counts, append.contracts, append.traceparents, append.payloads)
         WITH ORDINALITY AS g (id, type, source, subject, category, key, version, saga_id, causation_id, hops, contract, traceparent, payload, place)
    ORDER BY g.place
    RETURNING e.position
  )
  INSERT INTO quadrille.outbox (position) SELECT r.position FROM recorded r;
  RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION quadrille.append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION quadrille.append TO quadrille_service;
GRANT SELECT ON quadrille.streams, quadrille.events TO quadrille_service;
GRANT SELECT, DELETE ON quadrille.outbox TO quadrille_service;
