import type pg from 'pg';

import { watched } from '../../../postgres/watched-pool.ts';
import { portError } from '../unavailable.ts';

export const hasCitus = (client: pg.ClientBase): boolean => watched(client).backend?.hasCitus === true;

/** Every connection of the pool knows it. The first one that opens says it for all. */
export const citusAt = (pool: pg.Pool): (() => Promise<boolean>) => {
  let found: boolean | undefined;
  return async () => {
    if (found !== undefined) return found;
    const client = await pool.connect().catch((error: unknown) => {
      throw portError(error);
    });
    found = hasCitus(client);
    client.release();
    return found;
  };
};
