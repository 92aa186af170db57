-- When the transaction began that has this id and still runs; null once it has ended. A function, so that a Citus asks the server that has the row.
CREATE FUNCTION "transaction_started"("of" xid) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL RESTRICTED
  RETURN (SELECT "xact_start" FROM pg_stat_get_activity(NULL) WHERE "backend_xid" = "of");
