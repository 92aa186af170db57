import { StartFailure } from '../wiring/start-failure.ts';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** One line that says why a file can't be used. */
export const asFailure = (path: string, error: unknown): StartFailure => {
  if (error instanceof StartFailure) return error;
  const text = isOfSystem(error) ? `${path} can't be read` : `${path} is damaged or incomplete`;
  return new StartFailure(`${text}: ${reasonOf(error)}. Nothing was changed.`, { cause: error });
};

export const damaged = (path: string, why: string): StartFailure => asFailure(path, new Error(why));

export const foreign = (path: string): StartFailure => new StartFailure(`${path} is not a backup of Tenon.`);
