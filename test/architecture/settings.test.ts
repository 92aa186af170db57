import { expect, it } from 'vitest';

import { settings } from '../../src/adapters/wiring/settings/settings.ts';
import { settingReads, sourceFiles, textOf } from './source.ts';

/**
 * Where a test changes this setting and sees the effect. The type makes a new setting name its own.
 */
const SHOWN_IN: Readonly<Record<keyof typeof settings, string>> = {
  NODE_ENV: 'test/e2e/config.test.ts',
  HOST: 'test/e2e/config.test.ts',
  PORT: 'test/long/start.test.ts',
  ADMIN_HOST: 'test/http/settings.test.ts',
  ADMIN_PORT: 'test/long/tour.test.ts',
  ADMIN_TOKEN: 'test/e2e/config.test.ts',
  CONSOLE_HOSTS: 'test/http/console-entry.test.ts',
  CONSOLE_URL: 'test/http/passkeys.test.ts',
  OIDC_ISSUER: 'test/http/sign-in-provider.test.ts',
  OIDC_CLIENT_ID: 'test/http/sign-in-provider.test.ts',
  OIDC_CLIENT_SECRET: 'test/http/sign-in-provider.test.ts',
  OIDC_NAME: 'test/http/sign-in-provider.test.ts',
  APP_CONSOLE: 'test/http/app-console.test.ts',
  CONSENT_URL: 'test/http/install-requests.test.ts',
  SANDBOX_DOMAIN: 'test/http/sandboxes.test.ts',
  DATABASE_URL: 'test/e2e/start.test.ts',
  DATABASE_CONNECTIONS: 'test/long/connections.test.ts',
  DATABASE_STATEMENT_TIMEOUT_MS: 'test/http/statement-timeout.test.ts',
  READ_CACHE_MB: 'test/http/read-cache.test.ts',
  SEARCH_TIMEOUT_MS: 'test/http/statement-timeout.test.ts',
  DATA_DIR: 'test/long/start.test.ts',
  DRAIN_SECONDS: 'test/e2e/drain.test.ts',
  REDIS_URL: 'test/long/media-imports.test.ts',
  ROLE: 'test/long/webhook-roles.test.ts',
  WORKERS: 'test/e2e/workers.test.ts',
  SECRET_KEYS: 'test/contract/secrets.test.ts',
  LOST_SECRET_KEYS: 'test/long/secret-keys.test.ts',
  ACCESS_TOKEN_TTL_SECONDS: 'test/http/settings.test.ts',
  SECRET_OVERLAP_SECONDS: 'test/http/settings.test.ts',
  IDEMPOTENCY_TTL_SECONDS: 'test/http/settings.test.ts',
  IDEMPOTENCY_MAX_RESPONSE_BYTES: 'test/e2e/idempotency.test.ts',
  BULK_MAX_PRODUCTS: 'test/http/spec-rows.test.ts',
  BULK_MAX_BODY_BYTES: 'test/http/settings.test.ts',
  RATE_LIMIT_PER_SECOND: 'test/http/app-api.test.ts',
  RATE_LIMIT_BURST: 'test/http/app-api.test.ts',
  TOKEN_RATE_LIMIT_PER_SECOND: 'test/http/app-api.test.ts',
  TOKEN_RATE_LIMIT_BURST: 'test/http/app-api.test.ts',
  TOKEN_APP_RATE_LIMIT_PER_SECOND: 'test/http/token-limits.test.ts',
  TOKEN_APP_RATE_LIMIT_BURST: 'test/http/token-limits.test.ts',
  TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: 'test/http/settings.test.ts',
  FAILED_TOKEN_RATE_LIMIT_PER_SECOND: 'test/http/failed-tokens.test.ts',
  FAILED_TOKEN_RATE_LIMIT_BURST: 'test/http/failed-tokens.test.ts',
  ADMIN_FAILURES_PER_MINUTE: 'test/http/admin-failures.test.ts',
  REQUEST_LOG_DAYS: 'test/http/request-log.test.ts',
  MAX_CONNECTIONS: 'test/http/max-connections.test.ts',
  WEBHOOK_ALLOWED_CIDRS: 'test/http/allowed-ranges.test.ts',
  WEBHOOK_RETRY_SECONDS: 'test/http/deliveries.test.ts',
  WEBHOOK_RETRY_JITTER: 'test/http/deliveries.test.ts',
  WEBHOOK_TIMEOUT_SECONDS: 'test/long/webhook-roles.test.ts',
  WEBHOOK_MAX_IN_FLIGHT: 'test/http/settings.test.ts',
  WEBHOOK_LOG_DAYS: 'test/http/settings.test.ts',
  WEBHOOK_PROXY: 'test/http/settings.test.ts',
  NAME_SERVERS: 'test/e2e/names.test.ts',
  MEDIA_STORAGE: 'test/http/settings.test.ts',
  MEDIA_ALLOWED_CIDRS: 'test/http/allowed-ranges.test.ts',
  MEDIA_URL: 'test/long/media-imports.test.ts',
  MEDIA_RETRY_SECONDS: 'test/http/settings.test.ts',
  MEDIA_TIMEOUT_SECONDS: 'test/http/settings.test.ts',
  AWS_REGION: 'test/http/settings.test.ts',
  INCIDENT_WEBHOOK_URL: 'test/http/incident-notices.test.ts',
  INCIDENT_WEBHOOK_SECRET: 'test/http/incident-notices.test.ts',
  INCIDENT_SLACK_URL: 'test/http/incident-notices.test.ts',
  INCIDENT_SMTP_URL: 'test/http/incident-notices.test.ts',
  INCIDENT_MAIL_FROM: 'test/http/incident-notices.test.ts',
  INCIDENT_MAIL_TO: 'test/http/incident-notices.test.ts',
  TRUSTED_PROXIES: 'test/http/host.test.ts',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'test/http/traces.test.ts',
  LOG_LEVEL: 'test/long/start.test.ts',
};
const names = Object.keys(settings) as (keyof typeof settings)[];

/** Not what defines and parses the settings, and not generated code. */
const readers = sourceFiles('src').filter(
  (file) =>
    !/^src\/(generated\/|adapters\/wiring\/(config|settings|limit-settings|outgoing-settings|setting-kinds)\.ts$)/.test(file),
);
const reads = new Set(readers.flatMap((file) => settingReads(textOf(file), new Set(names))));

it.each(names)('the program reads %s', (name) => {
  expect(reads).toContain(name);
});

it.each(Object.entries(SHOWN_IN))('a test changes %s: %s', (name, file) => {
  expect(textOf(file)).toMatch(new RegExp(`\\b${name}'?(: |,|\\)|=)`));
});

it('a name in a comment, a text or a type does not count as read', () => {
  const text = `
    // config.PORT
    const a = 'config.PORT';
    interface B { readonly PORT: number }
    const c = { PORT: 1 };
    const { HOST: host } = config;
    listen(config.ROLE, host);
  `;
  expect(settingReads(text, new Set(['PORT', 'HOST', 'ROLE']))).toEqual(['HOST', 'ROLE']);
});
