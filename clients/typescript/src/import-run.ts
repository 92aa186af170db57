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

const hasEnded = ({ status }: MediaImport): boolean => !['Queued', 'Running'].includes(status);

/** An import that was requested. Awaited, it is the import as it begins. */
export interface ImportRun extends Promise<MediaImport> {
  /**
   * The import once all its items have ended, whether or not they are Ready. Rejects with a
   * `TenonError` of the code `timeout` when that takes too long; the import itself continues.
   *
   * @example
   * const { items } = await tenon.media.import(images, { key }).completed({ timeout: 60_000 });
   */
  completed(options?: CompletionOptions): Promise<MediaImport>;
}

/** The run of an import that has been requested. */
export const importRun = (
  started: Promise<MediaImport>,
  read: (importId: string, options: CallOptions) => Promise<MediaImport>,
): ImportRun => {
  const completed = async ({ timeout = 300_000, ...options }: CompletionOptions = {}): Promise<MediaImport> => {
    const deadline = Date.now() + timeout;
    let current = await started;
    for (let pause = FIRST_PAUSE; !hasEnded(current); pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      const rest = deadline - Date.now();
      if (rest <= 0) {
        const message = `The import ${current.importId} did not end within ${timeout} ms, and continues.`;
        throw new TenonError({ code: 'timeout', message });
      }
      await wait(Math.min(pause, rest), options.signal);
      current = await read(current.importId, options);
    }
    return current;
  };
  return Object.assign(started, { completed });
};
