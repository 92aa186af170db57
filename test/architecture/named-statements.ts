import { vi } from 'vitest';

import { namedStatements, type NamedStatement } from '../../.ci/named-statements.ts';

/** The statements of modules that are loaded again, since other tests may have loaded them. */
export const freshStatements = async (): Promise<NamedStatement[]> => {
  vi.resetModules();
  const found = await namedStatements();
  vi.resetModules();
  return found;
};
