-- Every node of a Citus cluster, also the coordinator: sudo -u postgres psql -v password=PASSWORD -f node.sql
-- The password of both roles is the one of pgpass.
SET citus.enable_create_role_propagation = off;
CREATE ROLE tenon LOGIN PASSWORD :'password';
ALTER ROLE postgres PASSWORD :'password';
CREATE DATABASE tenon OWNER tenon;
\connect tenon
CREATE EXTENSION citus;
