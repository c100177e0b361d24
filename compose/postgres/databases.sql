-- A database for each participant and the tracker. Schemas and roles come from `quadrille migrate` (prepare).
CREATE DATABASE "order";
CREATE DATABASE payment;
CREATE DATABASE inventory;
CREATE DATABASE shipping;
CREATE DATABASE tracker;
