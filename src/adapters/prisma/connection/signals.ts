import { openDedicated, type Dedicated } from './dedicated.ts';
import { statement } from './statement.ts';

/** The locks of the connection are lost then, long before a stop ends it from outside. */
const ANSWER_MS = 2_000;
const BEAT_MS = 500;
/** For this long after its last answer the connection counts as alive. */
const FRESH_MS = 2_000;

/** The connection writes nothing but announcements. One that waited for a standby would lose the locks. */
const NO_WAIT = statement({ text: 'SET synchronous_commit = off' });
const LISTEN = statement({ text: 'LISTEN tenon_stop' });
const NOTIFY = statement({ text: `SELECT pg_notify('tenon_stop', $scope)`, parameters: { scope: 'text' } });

export interface SignalsOptions {
  readonly url: string;
  readonly onStop: (scope: string) => void;
  /** Called once, at the moment the connection ends. Null when it was closed on purpose. */
  readonly onEnd: (error: Error | null) => void;
}

/** The one connection of this process that has the session locks and receives stops. */
export interface Signals extends Pick<Dedicated, 'sql' | 'spreadsStores' | 'ping' | 'close'> {
  announceStop(scope: string): Promise<void>;
  /**
   * True when the server had this connection, with its locks, in the last two seconds, by a clock
   * that runs while the process is paused.
   */
  isFresh(): boolean;
}

/** Rejects when no connection can be opened. */
export const openSignals = async ({ url, onStop, onEnd }: SignalsOptions): Promise<Signals> => {
  const dedicated = await openDedicated({
    url,
    name: 'tenon signals',
    answerMs: ANSWER_MS,
    beatMs: BEAT_MS,
    onNotification: (_channel, scope) => {
      onStop(scope);
    },
    onEnd,
  });
  const { sql, spreadsStores, ping, age, close } = dedicated;
  await sql.execute(NO_WAIT);
  await sql.execute(LISTEN);
  return {
    sql,
    spreadsStores,
    ping,
    announceStop: async (scope) => {
      await sql.execute(NOTIFY, { scope });
    },
    isFresh: () => age() <= FRESH_MS,
    close,
  };
};
