-- After the older processes. The others write "store_domains" themselves.

DROP TRIGGER IF EXISTS keep_domain ON "stores";
DROP FUNCTION IF EXISTS domain_of_store();
