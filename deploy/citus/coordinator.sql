-- The coordinator of a Citus cluster, once all nodes run: sudo -u postgres psql -d tenon -f coordinator.sql
SELECT citus_set_coordinator_host('10.0.0.30', 5432);
SELECT citus_add_node('10.0.0.31', 5432);
SELECT citus_add_node('10.0.0.32', 5432);
-- Citus would create the roles on the nodes with the first object that has them, and refuses that to any role but a superuser. Now it knows them.
CREATE FUNCTION known() RETURNS int LANGUAGE sql RETURN 1;
ALTER FUNCTION known() OWNER TO tenon;
DROP FUNCTION known();
