-- A database for each participant and the tracker. Schemas and roles come from `quadrille migrate` (prepare).
CREATE DATABASE "order";
CREATE DATABASE payment;
CREATE DATABASE inventory;
CREATE DATABASE shipping;
-- The tracker makes its tables itself, so its database is its own. It may log in once `prepare` has given it a password.
CREATE ROLE tracker NOLOGIN;
CREATE DATABASE tracker OWNER tracker;
