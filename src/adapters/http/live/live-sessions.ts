import type { LiveReader } from './live-reader.ts';

export interface StreamSession {
  readonly id: string;
  /** Whether it has not ended. It is kept no longer by the question. */
  isValid(): Promise<boolean>;
}

interface Held {
  readonly session: StreamSession;
  readonly readers: Set<LiveReader>;
}

export class LiveSessions {
  readonly #held = new Map<string, Held>();

  add(session: StreamSession, reader: LiveReader): void {
    const held = this.#held.get(session.id) ?? { session, readers: new Set() };
    this.#held.set(session.id, held);
    held.readers.add(reader);
    reader.once('close', () => {
      held.readers.delete(reader);
      if (held.readers.size === 0) this.#held.delete(session.id);
    });
  }

  end(id: string): void {
    for (const reader of this.#held.get(id)?.readers ?? []) reader.finish();
  }

  /** Ends the streams of sessions that have ended. While the database is away, nobody can tell, and the next look is soon. */
  async judge(): Promise<void> {
    const judged = [...this.#held.values()].map(async ({ session }) => {
      if (!(await session.isValid())) this.end(session.id);
    });
    await Promise.allSettled(judged);
  }
}
