import { integerSetting, setting } from './setting-kinds.ts';

export const limitSettings = {
  RATE_LIMIT_PER_SECOND: setting(
    integerSetting(1, 1_000_000),
    '50',
    'Sustained requests per second of one installation. All sandbox stores of an app count as one.',
  ),
  RATE_LIMIT_BURST: setting(integerSetting(1, 10_000_000), '500', 'Burst of requests of one installation.'),
  TOKEN_RATE_LIMIT_PER_SECOND: setting(
    integerSetting(1, 1_000_000),
    '1',
    'Sustained token requests per second of one installation. Also wrong ones with one client id from one address.',
  ),
  TOKEN_RATE_LIMIT_BURST: setting(
    integerSetting(1, 10_000_000),
    '120',
    'Burst of token requests of one installation. Also of wrong ones with one client id from one address.',
  ),
  TOKEN_APP_RATE_LIMIT_PER_SECOND: setting(
    integerSetting(1, 1_000_000),
    '100',
    'Sustained token requests per second of a platform app on all stores together.',
  ),
  TOKEN_APP_RATE_LIMIT_BURST: setting(
    integerSetting(1, 10_000_000),
    '6000',
    'Burst of token requests of a platform app on all stores together.',
  ),
  TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: setting(
    integerSetting(1, 1_000_000),
    '20',
    'Sustained token requests per second from one address. A burst may be those of a minute.',
  ),
  FAILED_TOKEN_RATE_LIMIT_PER_SECOND: setting(
    integerSetting(1, 1_000_000),
    '20',
    'Sustained requests per second with an invalid access token from one address. Each node counts separately.',
  ),
  FAILED_TOKEN_RATE_LIMIT_BURST: setting(
    integerSetting(1, 10_000_000),
    '200',
    'Burst of requests with an invalid access token from one address.',
  ),
  ADMIN_FAILURES_PER_MINUTE: setting(
    integerSetting(1, 1_000_000),
    '20',
    'Wrong admin tokens allowed per minute from one address. Further requests get 429 until the minute ends.',
  ),
  REQUEST_LOG_DAYS: setting(
    integerSetting(0, 3_650),
    '7',
    'How long refused app requests are kept in the request log, in days. 0 turns the log off.',
  ),
  MAX_CONNECTIONS: setting(
    integerSetting(1, 1_000_000),
    '4096',
    'Maximum number of open connections per listener. Further connections are closed. One address can have a quarter of them.',
  ),
} as const;
