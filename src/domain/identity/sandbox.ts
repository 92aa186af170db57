import { refuse, type Refusal } from '../result.ts';
import { parseDomain } from './store.ts';

export const MAX_SANDBOXES = 5;
/** The most that it has reset or deleted and that are not erased yet. */
export const MAX_ERASED_SANDBOXES = 20;
/** Limits of a sandbox store for one app. */
export const MAX_SANDBOX_ENTRIES = 1_000;
export const MAX_SANDBOX_IMAGES = 100;
/** Records that changes leave in a sandbox store, such as events, deliveries, attempts and idempotency keys, and the bytes in them. */
export const MAX_SANDBOX_RECORDS = 30_000;
const MAX_SANDBOX_BYTES = 104_857_600;

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** First label of a sandbox store's domain. */
const SANDBOX = /^[a-z0-9-]+-[0-9a-f]{12}$/;

export const BAD_SANDBOX_NAME: Refusal<'invalid'> = refuse(
  'invalid',
  'The name of a sandbox store must have 1 to 32 characters: a-z, 0-9 and hyphens, and no hyphen at its ends.',
);

/**
 * Domain of a sandbox store: a name below `base` that no other app gets, because it ends with
 * random digits of the id of the app. Null when the name cannot be a part of a domain.
 */
export const sandboxDomain = (name: string, appId: string, base: string): string | null =>
  NAME.test(name) ? parseDomain(`${name}-${appId.slice(-12)}.${base}`) : null;

/**
 * Returns true for a domain that the platform keeps for sandbox stores and the developers' console.
 * The base is `localhost` only on a developer's machine, and the developer's own stores are below
 * it too: there, only names of sandbox stores are kept.
 */
export const isReservedDomain = (domain: string, base: string | null): boolean => {
  if (base === null) return false;
  if (base !== 'localhost') return domain === base || domain.endsWith(`.${base}`);
  return domain.endsWith(`.${base}`) && SANDBOX.test(domain.slice(0, -base.length - 1));
};

export const reservedDomain = (domain: string): Refusal<'conflict'> =>
  refuse('conflict', `The domain ${domain} is kept for sandbox stores. Choose one that is not below SANDBOX_DOMAIN.`);

export const NO_SANDBOXES: Refusal<'conflict'> = refuse(
  'conflict',
  'This platform has no sandbox stores. Its operator must set SANDBOX_DOMAIN.',
);

export const TOO_MANY_SANDBOXES: Refusal<'conflict'> = refuse(
  'conflict',
  `An app has at most ${MAX_SANDBOXES} sandbox stores. Delete one first.`,
);

export const TOO_MANY_ERASED: Refusal<'conflict'> = refuse(
  'conflict',
  'Too many sandbox stores of the app are being erased. Try again in a minute.',
);

export const fullSandbox = (what: 'entries' | 'images', most: number): Refusal<'conflict'> =>
  refuse('conflict', `A sandbox store has at most ${most.toLocaleString('en')} ${what}. Reset it, or delete some.`);

export interface SandboxCount {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Returns the reason why nothing in a sandbox store with these records is changed. Null while
 * something may be.
 */
export const usedUp = ({ records, bytes }: SandboxCount): Refusal<'conflict'> | null =>
  records < MAX_SANDBOX_RECORDS && bytes < MAX_SANDBOX_BYTES
    ? null
    : refuse(
        'conflict',
        `A sandbox store has at most ${MAX_SANDBOX_RECORDS.toLocaleString('en')} events, deliveries, attempts and idempotency keys, and 100 MiB of them. ` +
          'Reset it with PUT /apps/sandboxes/{name}.',
      );
