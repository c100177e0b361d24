-- What is stuck, why and since when; and who did what about it.

ALTER TABLE quadrille.waiting
  ADD COLUMN reason_class    smallint    NOT NULL DEFAULT 1,  -- 1 technical, 2 business, 3 contract, 4 configuration, 5 overload
  ADD COLUMN step            text        NOT NULL DEFAULT '',
  ADD COLUMN stuck           boolean     NOT NULL DEFAULT false,  -- parked, or a compensation past its patience
  ADD COLUMN first_failed_at timestamptz NOT NULL DEFAULT now();
UPDATE quadrille.waiting SET stuck = (state = 4), first_failed_at = since;
CREATE INDEX waiting_stuck ON quadrille.waiting (consumer, first_failed_at) WHERE stuck;

-- Acts of people. Nobody but the owner can change or remove one.
CREATE TABLE quadrille.audit (
  position   bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  who        text        NOT NULL,
  act        text        NOT NULL,
  consumer   text        NOT NULL,
  message_id text        NOT NULL,
  why        text        NOT NULL
);
GRANT SELECT, INSERT ON quadrille.audit TO quadrille_service;
