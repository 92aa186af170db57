-- The coordinator of a Citus, once all nodes run: sudo -u postgres psql -d tenon -f coordinator.sql
SELECT citus_set_coordinator_host('10.0.0.30', 5432);
SELECT citus_add_node('10.0.0.31', 5432);
SELECT citus_add_node('10.0.0.32', 5432);
