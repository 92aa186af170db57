/** The promises that a campaign checks, by name. docs/reliability.md lists them. */
export const RULES = {
  'executed twice': 'Each key is executed at most once.',
  'not executed': 'What was acknowledged is done, exactly as the answer says.',
  'not the same bytes': 'Every replay is the first answer, byte for byte.',
  'key stuck': 'Each key is answered within the limit after the last recovery.',
  'event lost': 'Every event of an acknowledged write is recorded and delivered.',
  'event of nothing': 'Nothing that was rolled back is delivered. Each delivery has the recorded bytes and a valid signature.',
  'delivered out of order': 'With an order, the events of a resource arrive in the order of the feed.',
  'gathered wrongly':
    'A delivery that gathers has recorded events of one resource, and the same bytes at each attempt. No event is in two of them.',
  'copy differs':
    'A copy of the products that is made from bodies alone is the store at rest, also with `gather`. Warehouses add up to each total.',
  'not filtered': 'What a filter keeps away is not delivered.',
  'delivered by two': 'No event is delivered by a subscription and by the one that took its place.',
  'feed lost': 'A client that walks the feed gets every event that its app may see.',
  'feed twice': 'No event is in a walk twice.',
  'feed out of order': 'A walk has the events of a resource in the order of their commits.',
  'feed shows too much': 'A walk has only recorded events of its app, with the bytes of the webhook.',
  'delivered after removal': 'No attempt runs after a DELETE or an uninstallation was answered.',
  'media not imported': 'Every media import ends. Each item has the result that its source and its product lead to.',
  'media differs': 'Every imported image is one media entry and one file with its bytes. No other file or entry exists.',
  'slug twice': 'No two products have the same slug.',
  'figures differ': 'The list shows what the rows contain, and its total is exact.',
  'stock differs': 'The stock of each variant is what it was at first and the sum of the acknowledged adjustments.',
  'answer lost by SIGTERM': 'A process that gets SIGTERM answers its running requests and exits with 0.',
  'no answer': 'Every request is answered within 13 seconds, also while PostgreSQL or Redis says nothing.',
  'return not noticed': 'Every node answers within 5 seconds after PostgreSQL, or its name, leads to a server that works.',
  'readiness wrong': '/readyz says 503 within 5 seconds while requests cannot be answered, and 200 otherwise.',
  'slow without Redis': 'While Redis hangs, writes keep 0.9 of their rate after the first second.',
  'not expected': 'Every answer is documented, and no process ends by itself.',
} as const;

/** Rules that only a campaign of failovers checks. */
export const FAILOVER_RULES = {
  'failover not followed':
    'Every node answers a write within 10 seconds after a promotion, and leaves an old primary that runs on.',
  'read from a standby': 'While no server takes writes, no request is answered with success.',
  'read stale': 'No read shows less than was acknowledged before it was sent.',
  'reads stopped': 'While only the standby is away, every node answers reads.',
  'uninstall undone':
    'An app whose uninstallation was answered gets no token again. Where it was lost, the app is installed as before.',
} as const;

export type Rule = keyof typeof RULES | keyof typeof FAILOVER_RULES;

export interface Violation {
  readonly rule: Rule;
  /** The key, event or subscription that it concerns. */
  readonly about: string;
  readonly what: string;
}

export const violation = (rule: Rule, about: string, what: string): Violation => ({ rule, about, what });
