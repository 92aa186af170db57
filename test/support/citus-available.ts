import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Binaries of Debian's PostgreSQL 15. */
export const CITUS_BINARIES = '/usr/lib/postgresql/15/bin';

/** Debian has no package of Citus. */
export const citusAvailable =
  existsSync(join(CITUS_BINARIES, 'postgres')) && existsSync('/usr/share/postgresql/15/extension/citus.control');
