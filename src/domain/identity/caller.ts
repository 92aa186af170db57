import type { Scope } from './scope.ts';

export interface Caller {
  readonly storeId: string;
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}
