import { ENFORCED_SCOPES, KNOWN_SCOPES, type Scope, SCOPE_WORDS } from '../../../src/adapters/http/console/shared.ts';

export { ENFORCED_SCOPES, KNOWN_SCOPES, type Scope };

/** Describes the scope. */
export const scopeHelp = (scope: Scope): string =>
  KNOWN_SCOPES.some((known) => known === scope) ? `${SCOPE_WORDS[scope]} Nothing uses it yet.` : SCOPE_WORDS[scope];
