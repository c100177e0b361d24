-- What people may ask a participant and make it do.

-- Bytes that an edit replaced.
ALTER TABLE quadrille.audit ADD COLUMN original bytea;

-- The deadlines of one saga.
CREATE INDEX deadlines_saga ON quadrille.deadlines (saga_id);
