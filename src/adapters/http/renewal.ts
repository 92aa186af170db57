import type { Refusal } from '../../domain/result.ts';
import { Unavailable } from '../../domain/unavailable.ts';

/** The refusal of the caller's next request. */
export type EndedAccess = Refusal<'unauthenticated' | 'forbidden' | 'not_found'>;

/** A body that is read in small pieces asks at most this often. */
const LATELY_MS = 1_000;

/**
 * Judges the caller of a long request again, as its next request would be judged: its credential, role, scopes and store may end
 * while it reads or sends. Long answers (judged-parts.ts) and long bodies (StreamBody) do not compile without one.
 */
export class Renewal {
  readonly #judge: () => Promise<EndedAccess | null>;
  readonly #ended = new AbortController();
  #judgedAt = performance.now();

  constructor(judge: () => Promise<EndedAccess | null>) {
    this.#judge = judge;
  }

  /** Aborted as soon as a judgement has found that the access ended. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  async refusal(): Promise<EndedAccess | null> {
    const refusal = await this.#judge();
    this.#judgedAt = performance.now();
    if (refusal !== null) this.#ended.abort();
    return refusal;
  }

  async isAllowed(): Promise<boolean> {
    return !this.ended.aborted && (await this.refusal()) === null;
  }

  /** Asks at most once a second. While the database is away nobody can tell, and what comes later is judged again. */
  async wasAllowedLately(): Promise<boolean> {
    if (this.ended.aborted) return false;
    if (performance.now() - this.#judgedAt < LATELY_MS) return true;
    try {
      return await this.isAllowed();
    } catch (error) {
      if (error instanceof Unavailable) return true;
      throw error;
    }
  }
}

/** Cuts a stream whose reader may have no more of it. Nothing failed, so it is not logged as a failure. */
export class AccessEnded extends Error {
  override readonly name = 'AccessEnded';
}
