import { notFound, ok, refuse, type Result } from '../../domain/result.ts';

/**
 * The repository's answer to a change of an installation, as a result. An uninstalled app cannot
 * change.
 */
export const installationResult = <T extends object>(answer: T | 'uninstalled' | null): Result<T, 'not_found' | 'conflict'> => {
  if (answer === null) return notFound('Installation');
  return answer === 'uninstalled' ? refuse('conflict', 'The app is uninstalled, which is final.') : ok(answer);
};
