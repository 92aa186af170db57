import { StartFailure } from '../startup/start-failure.ts';
import { messageOf } from '../../domain/values/error.ts';

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Says in one line why a file can't be used. */
export const asFailure = (path: string, error: unknown): StartFailure => {
  if (error instanceof StartFailure) return error;
  const text = isOfSystem(error) ? `${path} cannot be read` : `${path} is damaged or incomplete`;
  return new StartFailure(`${text}: ${messageOf(error)}. Nothing was changed.`, { cause: error });
};

export const damaged = (path: string, why: string): StartFailure => asFailure(path, new Error(why));

export const foreign = (path: string): StartFailure => new StartFailure(`${path} is not a backup of Tenon.`);
