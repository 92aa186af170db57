import type { Route } from './route-declaration.ts';

/** Routes that end or restrain something, or add nothing. */
export const BEYOND_BUDGET: ReadonlySet<string> = new Set([
  'createAppConsoleCode',
  'createTrialToken',
  'deleteSubscription',
  'eraseStore',
  'pauseSubscription',
  'refuseInstallRequest',
  'revokeAppTokens',
  'rotateClientSecret',
  'rotateSigningSecret',
  'tryRequest',
  'uninstallApp',
  'updateApp',
  'updateStore',
]);

/** Routes that wait for a receiver or a file, whose sender may need a change in the store meanwhile. */
export const BESIDE_OTHERS: ReadonlySet<string> = new Set(['importProducts', 'tryOwnReceiver', 'trySubscription']);

/**
 * Budget of a sandbox store for requests of the route, which it refuses once it has used its
 * budget. Null where any store answers them.
 */
export const budgetOf = ({ access, method, operationId }: Route): 'one by one' | 'beside others' | null => {
  const isOfOneStore = access.kind === 'app' || (access.kind === 'admin' && 'parameter' in access.rule);
  if (method === 'get' || !isOfOneStore || BEYOND_BUDGET.has(operationId)) return null;
  return BESIDE_OTHERS.has(operationId) ? 'beside others' : 'one by one';
};
