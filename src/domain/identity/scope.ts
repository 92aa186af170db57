/** Scopes that a route or an event type requires (docs/specification/credentials.md, "Scopes"). */
export const ENFORCED_SCOPES = [
  'read_products',
  'write_products',
  'read_collections',
  'read_metaobjects',
  'write_metaobjects',
  'read_webhooks',
  'write_webhooks',
  'read_orders',
  'write_inventory',
] as const;

/** Scopes that can be granted but that no endpoint honours yet. */
export const KNOWN_SCOPES = [
  'write_collections',
  'write_orders',
  'read_customers',
  'write_customers',
  'read_inventory',
  'read_discounts',
  'write_discounts',
  'read_content',
  'write_content',
  'read_shipping',
  'write_shipping',
  'read_media',
  'write_media',
  'read_analytics',
] as const;

export type EnforcedScope = (typeof ENFORCED_SCOPES)[number];
export type Scope = EnforcedScope | (typeof KNOWN_SCOPES)[number];

export const ALL_SCOPES: readonly Scope[] = [...ENFORCED_SCOPES, ...KNOWN_SCOPES];

const enforced: ReadonlySet<string> = new Set(ENFORCED_SCOPES);

/** A write_ scope includes its read_ scope (docs/specification/credentials.md, "Scopes"). */
const readScopeOf = (scope: Scope): string => scope.replace(/^write_/, 'read_');

/** The scopes that the installation can use now, sorted: `scope` of the token response. */
export const usableScopes = (granted: readonly Scope[]): EnforcedScope[] =>
  [...new Set(granted.flatMap((scope) => [scope, readScopeOf(scope)]))]
    .filter((scope): scope is EnforcedScope => enforced.has(scope))
    .sort();

/**
 * The granted scopes that no endpoint honours yet, sorted: `scopeNotYetEnforced` of the token
 * response.
 */
export const notYetEnforcedScopes = (granted: readonly Scope[]): Scope[] =>
  [...new Set(granted)].filter((scope) => !enforced.has(scope)).sort();

export const covers = (granted: readonly Scope[], required: Scope): boolean =>
  granted.some((scope) => scope === required || readScopeOf(scope) === required);

/**
 * Returns the sorted scopes that both lists have. A write_ scope that is not granted leaves its
 * read_ scope, if that is granted.
 */
export const commonScopes = (scopes: readonly Scope[], granted: readonly Scope[]): Scope[] => {
  const common = scopes.map((scope) => (covers(granted, scope) ? scope : readScopeOf(scope)));
  return ALL_SCOPES.filter((scope) => common.includes(scope) && covers(granted, scope)).sort();
};
