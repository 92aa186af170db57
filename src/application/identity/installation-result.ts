import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';

/**
 * The repository's answer to a change of an installation, as a result. An uninstalled app cannot
 * change.
 */
export const installationResult = <T extends object>(answer: T | 'uninstalled' | null): Result<T, 'not_found' | 'conflict'> => {
  if (answer === null) return notFound('Installation');
  return answer === 'uninstalled' ? refuse('conflict', 'The app is uninstalled, which is final.') : ok(answer);
};

const OF_MANY_STORES = refuse('conflict', 'The secrets belong to the platform app. Rotate them there, for all of its stores.');

/** The refusal for a rotation of one store's secrets where the app has its own, for all stores. */
export const secretsRefusal = async (
  { installations }: Pick<Ports, 'installations'>,
  storeId: string,
  id: string,
): Promise<typeof OF_MANY_STORES | null> => {
  const installation = await installations.get(storeId, id);
  return installation !== null && installation.platformAppId !== null ? OF_MANY_STORES : null;
};
