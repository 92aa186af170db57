import { isUnexpired } from '../connection/unexpired.ts';

/**
 * A session of the app console is used: its end moves, unless it is over. `condition` is SQL that it must meet as well.
 * `now` is SQL for the time.
 */
export const touching = (table: string, now: string, condition = ''): string => `
    UPDATE ${table} SET expires_at = LEAST(ends_at, ${now} + make_interval(secs => $idleSeconds))
    WHERE hash = $hash AND kind = 'Session' ${condition} AND ${isUnexpired('expires_at', now)}
      AND LEAST(ends_at, ${now} + make_interval(secs => $idleSeconds)) - expires_at > make_interval(secs => $touchSeconds)`;
