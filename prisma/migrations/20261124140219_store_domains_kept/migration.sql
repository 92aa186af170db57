-- After the older processes. The others write "store_domains" themselves.

-- With its trigger: a Citus takes no command about triggers.
DROP FUNCTION IF EXISTS domain_of_store() CASCADE;
