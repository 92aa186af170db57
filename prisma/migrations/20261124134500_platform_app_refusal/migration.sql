-- Why a token of an app of many stores is refused: the app is suspended, or the token is older than its last resumption. Null where it is not
-- refused. An app that this server does not have, because the store was imported, is suspended.
-- It is a function because a statement with a join pays for the table also where the app is of one store. STRICT: it is not called there.
CREATE FUNCTION platform_app_refusal(app uuid, issued timestamptz) RETURNS text
LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE refusal text;
BEGIN
  SELECT CASE WHEN status <> 'Active' THEN 'suspended' WHEN issued < active_since THEN 'revoked' END INTO refusal
  FROM platform_apps WHERE id = app;
  RETURN CASE WHEN FOUND THEN refusal ELSE 'suspended' END;
END $$;
