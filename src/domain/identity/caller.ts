import type { Scope } from './scope.ts';

/** The installation behind an authenticated app request, with the scopes it is granted now. */
export interface Caller {
  readonly storeId: string;
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}
