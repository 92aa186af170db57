import type { CallOptions } from './call.ts';
import { TenonError } from './tenon-error.ts';
import type { MediaImport } from './types.ts';
import { wait } from './wait.ts';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

/** How long to wait for the end of an import. */
export interface CompletionOptions extends Omit<CallOptions, 'timeout'> {
  /** Milliseconds until the end of the import; 5 minutes by default. */
  readonly timeout?: number | undefined;
}

const hasEnded = ({ status }: MediaImport): boolean => status !== 'Queued' && status !== 'Running';

const late = ({ importId }: MediaImport, timeout: number): TenonError =>
  new TenonError({
    status: null,
    code: 'timeout',
    requestId: null,
    attempts: 1,
    body: {},
    message: `The import ${importId} did not end within ${String(timeout)} ms. It continues: read it by its id.`,
  });

/** An import that was requested. Awaited, it is the import as it begins. */
export class ImportRun implements PromiseLike<MediaImport> {
  readonly #started: Promise<MediaImport>;
  readonly #read: (importId: string, options: CallOptions) => Promise<MediaImport>;

  /** @internal */
  constructor(started: Promise<MediaImport>, read: (importId: string, options: CallOptions) => Promise<MediaImport>) {
    this.#started = started;
    this.#read = read;
  }

  /** Makes the run awaitable: the import as it begins. */
  then<A = MediaImport, B = never>(
    fulfilled?: ((value: MediaImport) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#started.then(fulfilled, rejected);
  }

  /**
   * The import once all its items have ended, whether or not they are Ready. Rejects with a
   * `TenonError` of the code `timeout` when that takes too long; the import itself continues.
   *
   * @example
   * const { items } = await tenon.media.import(images, { key }).completed({ timeout: 60_000 });
   */
  async completed({ timeout = 300_000, ...options }: CompletionOptions = {}): Promise<MediaImport> {
    const deadline = Date.now() + timeout;
    let pause = FIRST_PAUSE;
    let current = await this.#started;
    while (!hasEnded(current)) {
      if (Date.now() >= deadline) throw late(current, timeout);
      await wait(Math.min(pause, Math.max(0, deadline - Date.now())), options.signal);
      pause = Math.min(pause * 1.5, LONGEST_PAUSE);
      current = await this.#read(current.importId, options);
    }
    return current;
  }
}
