-- Where a participant that starts with new events began to hear.

-- The broker's consumers as they were found first. One that was made again later begins later than its participant did.
CREATE TABLE quadrille.beginnings (
  durable  text        PRIMARY KEY,
  made     text        NOT NULL,  -- when, as the broker says it
  noted_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT ON quadrille.beginnings TO quadrille_service;

-- The message's place in the broker's stream; 0: was put to wait before this was kept.
ALTER TABLE quadrille.waiting ADD COLUMN sequence bigint NOT NULL DEFAULT 0;
