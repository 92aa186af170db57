import type { CallOptions } from './call.ts';
import type { MediaImport } from './types.ts';
import { wait, within } from './wait.ts';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

/** How long to wait for the end of an import. */
export interface CompletionOptions extends Omit<CallOptions, 'timeout'> {
  /** Milliseconds until the end of the import; 5 minutes by default. */
  readonly timeout?: number | undefined;
}

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
  const completed = ({ timeout = 300_000, ...options }: CompletionOptions = {}): Promise<MediaImport> => {
    let name = 'that was requested';
    const late = (): string => `The import ${name} did not end within ${timeout} ms, and continues.`;
    // Where this ends first, nobody may be left to hear of a failure.
    started.catch(() => undefined);
    return within(
      timeout,
      options.signal,
      async (until) => {
        let current = await started;
        name = current.importId;
        for (let pause = FIRST_PAUSE; /^(Queued|Running)$/.test(current.status); pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
          await wait(pause, until);
          current = await read(name, { ...options, signal: until });
        }
        return current;
      },
      late,
    );
  };
  return Object.assign(started, { completed });
};
