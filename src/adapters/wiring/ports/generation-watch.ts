import { atMostEvery } from '../../node/at-most-every.ts';
import { OutdatedProcess } from '../../storage/outdated-process.ts';
import type { Storage } from '../../storage/storage.ts';

/**
 * Longest time in which a process does not know that the schema has left it behind. A fan-out asks
 * by itself.
 */
const LOOK_EVERY_MS = 1_000;

export interface GenerationWatch {
  /** The sentence of a process that must stop; null while it may work. */
  fault(): string | null;
  /** Looks, unless it has within the last second. */
  look(): Promise<void>;
  /** Wraps the work: it begins only while this process may work, and otherwise does nothing. */
  guard<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): (...args: Args) => Promise<void>;
  /** Resolves to the sentence once this process must stop. */
  readonly outdated: Promise<string>;
}

export const watchGeneration = ({ requireGeneration }: Pick<Storage, 'requireGeneration'>): GenerationWatch => {
  let sentence: string | null = null;
  let end = (_sentence: string): void => undefined;
  const outdated = new Promise<string>((resolve) => {
    end = resolve;
  });
  /** Returns true when the work was carried out. */
  const noticing = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof OutdatedProcess)) throw error;
      sentence ??= error.message;
      end(sentence);
      return false;
    }
  };
  const read = atMostEvery(LOOK_EVERY_MS, () => noticing(requireGeneration));
  return {
    outdated,
    fault: () => sentence,
    look: async () => {
      await read();
    },
    guard:
      (work) =>
      async (...args) => {
        if (sentence === null && (await read())) await noticing(() => work(...args));
      },
  };
};
