import type { LiveReader } from './live-reader.ts';

export interface StreamSession {
  readonly id: string;
  /** False once the session has ended, or reaches the store of its stream no more. The question does not keep the session. */
  isValid(): Promise<boolean>;
}

/** The streams that end with a session. Each is judged by itself: those of one session may be of several stores. */
export class LiveSessions {
  readonly #sessions = new Map<LiveReader, StreamSession>();

  add(session: StreamSession, reader: LiveReader): void {
    this.#sessions.set(reader, session);
    reader.once('close', () => this.#sessions.delete(reader));
  }

  end(id: string): void {
    for (const [reader, session] of this.#sessions) if (session.id === id) reader.finish();
  }

  /** Ends the streams of sessions that have ended. While the database is away, nobody can tell, and the next look is soon. */
  async judge(): Promise<void> {
    const judged = [...this.#sessions].map(async ([reader, session]) => {
      if (!(await session.isValid())) reader.finish();
    });
    await Promise.allSettled(judged);
  }
}
