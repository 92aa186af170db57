import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';

import type { Account } from '../../src/adapters/embedded/account.ts';
import { initialise } from '../../src/adapters/embedded/postgres.ts';

/** In place of initdb: it writes this, and fails. */
const failing = (text: string): Account =>
  ({
    spawn: () => spawn('sh', ['-c', 'echo "$0" >&2; exit 1', text], { stdio: ['ignore', 'pipe', 'pipe'] }),
  }) as unknown as Account;

it.each([
  [
    'PANIC:  could not write to file "pg_wal/xlogtemp.9": No space left on device\nHINT:  Check free disk space.',
    /^There is no space left for a database in \/data\/postgres\.$/,
  ],
  ['initdb: error: invalid locale', /could not be initialised in \/data\/postgres: .*invalid locale/s],
])('an initdb that fails is one sentence: %s', async (text, message) => {
  await expect(initialise('initdb', '/data/unfinished', '/data/postgres', failing(text))).rejects.toThrow(message);
});
