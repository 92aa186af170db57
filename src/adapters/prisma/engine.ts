import { parseUrl } from '../../domain/values/url.ts';
import { serverUrls } from '../startup/database-url.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';

const SCHEMES = ['postgresql:', 'postgres:'];
const BEGINNING = 'postgresql:// or postgres://, with one host or several: postgresql://host1:5432,host2:5432/name';

const isServer = (text: string, _: number, { length }: readonly string[]): boolean => {
  const parsed = parseUrl(text);
  return parsed !== null && SCHEMES.includes(parsed.protocol) && (length === 1 || parsed.hostname !== '');
};

/** libpq's names for the sessions that Tenon needs. Tenon has no others. */
const SESSIONS = [null, 'read-write', 'primary'];

export const postgresql: StorageEngine = {
  name: 'PostgreSQL',
  system: 'postgresql',
  schemes: SCHEMES,
  promises: new Set(['durable', 'many_nodes', 'job_queue', 'wakes']),
  about: 'PostgreSQL 14 or later. With several hosts, separated by commas, Tenon uses the primary.',
  beginning: BEGINNING,
  /** Accepts a server, or a primary and its standbys in any order: `postgresql://host1:5432,host2:5432/name`. */
  faultOf: (url) => {
    const servers = serverUrls(url);
    if (!servers.every(isServer)) return `must be a URL that begins with ${BEGINNING}`;
    return SESSIONS.includes(parseUrl(servers[0] ?? '')?.searchParams.get('target_session_attrs') ?? null)
      ? null
      : 'target_session_attrs must be read-write or primary: Tenon works on the primary alone';
  },
  heldBy: () => null,
  load: async () => (await import('./index.ts')).postgresqlAdapter,
};
