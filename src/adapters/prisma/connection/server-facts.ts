import { statement } from './statement.ts';

/**
 * Facts of the PostgreSQL server, also without the tables of Tenon: its version as a number, the
 * connections that it takes, those that it keeps for superusers, and those that other programs have.
 */
export const SERVER_FACTS = statement({
  text: `
    SELECT current_setting('server_version_num')::int AS version,
      (SELECT setting::int FROM pg_settings WHERE name = 'max_connections') AS maximum,
      (SELECT sum(setting::int)::int FROM pg_settings WHERE name IN ('superuser_reserved_connections', 'reserved_connections')) AS reserved,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name NOT LIKE 'tenon%') AS others`,
  row: { version: 'int4', maximum: 'int4', reserved: 'int4', others: 'int4' },
});
