-- Appending costs what is appended, also for very many events at once: finding out that no stream has moved is counting. The
-- join that told which one has moved compared each with each where the planner expected few.

CREATE OR REPLACE FUNCTION quadrille.append(
  ids uuid[], types text[], sources text[], subjects text[], categories text[], keys text[], versions bigint[],
  saga_ids text[], causation_ids text[], hop_counts integer[], contracts text[], traceparents text[], payloads bytea[])
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  conflict text;
BEGIN
  WITH ends AS MATERIALIZED (
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
  )
  SELECT CASE WHEN (SELECT count(*) FROM ends) <> (SELECT count(*) FROM opened) + (SELECT count(*) FROM moved) THEN
    (SELECT e.category || '-' || e.key FROM ends e
     WHERE (e.category, e.key) NOT IN (SELECT o.category, o.key FROM opened o)
       AND (e.category, e.key) NOT IN (SELECT m.category, m.key FROM moved m)
     LIMIT 1)
  END INTO conflict;
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

-- The same for whoever sends the commit along with it and therefore cannot look at an answer before: a conflict is SQLSTATE
-- QD001 with the name of the stream as its message, and undoes the transaction.
CREATE FUNCTION quadrille.append_or_fail(
  ids uuid[], types text[], sources text[], subjects text[], categories text[], keys text[], versions bigint[],
  saga_ids text[], causation_ids text[], hop_counts integer[], contracts text[], traceparents text[], payloads bytea[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  conflict text := quadrille.append(ids, types, sources, subjects, categories, keys, versions, saga_ids, causation_ids,
                                    hop_counts, contracts, traceparents, payloads);
BEGIN
  IF conflict IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'QD001', MESSAGE = conflict;
  END IF;
END
$$;

REVOKE ALL ON FUNCTION quadrille.append_or_fail FROM PUBLIC;
GRANT EXECUTE ON FUNCTION quadrille.append_or_fail TO quadrille_service;
