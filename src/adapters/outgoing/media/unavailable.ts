import { StorageUnavailable } from '../../../domain/ports/media/media-storage.ts';

const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : `${error.name} ${error.message}`.trim();
};

/**
 * Runs the work and reports its failure as one of the storage. `storage` names it for the log. The
 * cause is text only: an error of the AWS SDK contains its request, with signed headers and any
 * session token.
 */
export const unlessUnavailable = async <T>(storage: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new StorageUnavailable(`${storage} cannot be used: ${reason(error)}`);
  }
};
