import { statement } from './statement.ts';

/**
 * Facts of the PostgreSQL server, also without the tables of Tenon: its version as a number, the
 * connections that it takes from others than superusers, and those that other programs have.
 */
export const SERVER_FACTS = statement({
  text: `
    SELECT current_setting('server_version_num')::int AS version,
      (SELECT setting::int FROM pg_settings WHERE name = 'max_connections')
        - (SELECT setting::int FROM pg_settings WHERE name = 'superuser_reserved_connections') AS maximum,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name NOT LIKE 'tenon%') AS others`,
  row: { version: 'int4', maximum: 'int4', others: 'int4' },
});
