import type { Scope } from './scope.ts';

/** The installation behind an authenticated app request, with its present scopes. */
export interface Caller {
  readonly storeId: string;
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}
