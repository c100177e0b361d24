-- What was heard (inbox), how far each stream was applied (applied), and what has to wait (waiting).

-- Partitioned by the day of the event, not of its arrival: a redelivery after midnight has the same day and meets its row.
CREATE TABLE quadrille.inbox (
  consumer   text NOT NULL,
  message_id text NOT NULL,
  day        date NOT NULL,
  PRIMARY KEY (consumer, message_id, day)
) PARTITION BY RANGE (day);

-- Days without a partition of their own: very old events, events without a time, a clock that is far off.
CREATE TABLE quadrille.inbox_default PARTITION OF quadrille.inbox DEFAULT;

-- Makes the partitions of the coming days and drops those older than `keep_days`, which has to be longer than any redelivery,
-- replay or manual retry can take. May run at any time, by several at once.
CREATE FUNCTION quadrille.maintain_inbox(keep_days integer)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '2s' AS $$
DECLARE
  today     date := (now() AT TIME ZONE 'UTC')::date;
  this_day  date;
  partition record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('quadrille.maintain_inbox')) THEN
    RETURN;
  END IF;
  FOR this_day IN SELECT generate_series(today - 1, today + 3, interval '1 day')::date LOOP
    BEGIN
      EXECUTE format('CREATE TABLE IF NOT EXISTS quadrille.inbox_%s PARTITION OF quadrille.inbox FOR VALUES FROM (%L) TO (%L)',
                     to_char(this_day, 'YYYYMMDD'), this_day, this_day + 1);
    EXCEPTION WHEN check_violation OR lock_not_available THEN
      NULL;  -- rows of that day are in the default partition already, or the table is busy: they are served from there
    END;
  END LOOP;
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'quadrille.inbox'::regclass AND c.relname ~ '^inbox_[0-9]{8}$'
      AND to_date(substr(c.relname, 7), 'YYYYMMDD') < today - keep_days
  LOOP
    EXECUTE format('DROP TABLE quadrille.%I', partition.relname);
  END LOOP;
END
$$;
SELECT quadrille.maintain_inbox(30);

-- The newest version of each stream that a consumer has applied: the fence.
CREATE TABLE quadrille.applied (
  consumer text   NOT NULL,
  category text   NOT NULL,
  key      text   NOT NULL,
  version  bigint NOT NULL,
  PRIMARY KEY (consumer, category, key)
) WITH (fillfactor = 70);

-- Deliveries taken over from the broker that cannot be handled yet, with their original bytes. Headers and subject are bytes
-- too: anybody may have sent anything.
CREATE TABLE quadrille.waiting (
  consumer   text        NOT NULL,
  message_id text        NOT NULL,
  category   text        NOT NULL,
  key        text        NOT NULL,
  version    bigint      NOT NULL,
  state      smallint    NOT NULL,  -- 1 retry, 2 gap, 3 behind, 4 parked
  reason     text        NOT NULL,
  attempts   integer     NOT NULL,
  due_at     timestamptz NOT NULL,
  subject    bytea       NOT NULL,
  headers    bytea       NOT NULL,  -- name, NUL, value, NUL, ...
  payload    bytea       NOT NULL,
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, message_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX waiting_streams ON quadrille.waiting (consumer, category, key, version);
CREATE INDEX waiting_due ON quadrille.waiting (consumer, due_at) WHERE state <> 4;

REVOKE ALL ON FUNCTION quadrille.maintain_inbox FROM PUBLIC;
GRANT EXECUTE ON FUNCTION quadrille.maintain_inbox TO quadrille_service;
GRANT SELECT, INSERT ON quadrille.inbox TO quadrille_service;
GRANT SELECT, INSERT, UPDATE ON quadrille.applied TO quadrille_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON quadrille.waiting TO quadrille_service;
