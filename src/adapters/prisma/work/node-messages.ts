import { MAX_MESSAGE_BYTES, type NodeMessages } from '../../../domain/ports/node-messages.ts';
import { pause } from '../../startup/deadline.ts';
import { channelOf, type NodeSession, type OpenSession } from '../connection/node-session.ts';
import { asError } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const RECONNECT_MS = 1_000;
/** A server that falls behind by this many messages gets no more of them until it has answered. */
const MAX_UNANSWERED = 200;

const NOTIFY = statement({
  text: 'SELECT pg_notify($channel, $message)',
  parameters: { channel: 'text', message: 'text' },
});

export interface NodeMessagesOptions {
  readonly session: NodeSession;
  /** Called once each time the connection is lost. A new one is tried every second. */
  readonly onLost?: (error: Error) => void;
}

/** Messages over LISTEN and NOTIFY. The first listener opens the session. */
export const createNodeMessages = ({ session, onLost }: NodeMessagesOptions): NodeMessages => {
  const closing = new AbortController();
  const ends = new Set<() => void>();
  let running: Promise<void> | null = null;
  let sentOn: OpenSession | null = null;
  let unanswered = 0;
  let isLost = false;

  const lose = (error: unknown): void => {
    if (!isLost) onLost?.(asError(error));
    isLost = true;
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await session.open().then(() => (isLost = false), lose);
      await pause(RECONNECT_MS, closing);
    }
  };

  return {
    send: (topic, message) => {
      const on = closing.signal.aborted ? null : session.current();
      if (on !== sentOn) unanswered = 0;
      sentOn = on;
      if (on === null || unanswered >= MAX_UNANSWERED || Buffer.byteLength(message) > MAX_MESSAGE_BYTES) return false;
      const answered = (): void => {
        if (sentOn === on) unanswered -= 1;
      };
      unanswered += 1;
      on.sql.execute(NOTIFY, { channel: channelOf(topic), message }).then(answered, answered);
      return true;
    },
    listen: (topic, listener) => {
      if (closing.signal.aborted) return () => undefined;
      const end = session.listen(topic, { ...listener, onEnd: (error) => error && lose(error) });
      ends.add(end);
      running ??= run();
      return () => {
        if (ends.delete(end)) end();
      };
    },
    close: async () => {
      closing.abort();
      for (const end of ends) end();
      await running;
    },
  };
};
