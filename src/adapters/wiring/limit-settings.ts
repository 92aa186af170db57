import { integer, setting } from './setting-kinds.ts';

/** What one client can take of the service, and what is kept of the requests that go wrong. */
export const limitSettings = {
  RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '50', 'Requests a second of one installation, over time.'),
  RATE_LIMIT_BURST: setting(integer(1, 10_000_000), '500', 'Requests of one installation at once.'),
  TOKEN_RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '1', 'Token requests a second of one client id, over time.'),
  TOKEN_RATE_LIMIT_BURST: setting(integer(1, 10_000_000), '120', 'Token requests of one client id at once.'),
  TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '20', 'Token requests a second of one address.'),
  FAILED_TOKEN_RATE_LIMIT_PER_SECOND: setting(
    integer(1, 1_000_000),
    '20',
    'Requests a second from one address, over time, whose access token is not valid; counted by each node.',
  ),
  FAILED_TOKEN_RATE_LIMIT_BURST: setting(
    integer(1, 10_000_000),
    '200',
    'Requests at once from one address whose access token is not valid.',
  ),
  ADMIN_FAILURES_PER_MINUTE: setting(
    integer(1, 1_000_000),
    '20',
    'Wrong admin tokens that one address may send in a minute; it then gets 429 until the minute is over.',
  ),
  REQUEST_LOG_DAYS: setting(
    integer(0, 3_650),
    '7',
    'How long refused requests of apps are kept in the request log; 0 turns it off.',
  ),
  MAX_CONNECTIONS: setting(
    integer(1, 1_000_000),
    '4096',
    'Connections to each listener at once; one more is closed as it opens.',
  ),
} as const;
