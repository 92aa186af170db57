/** The promises that a campaign checks, by name, as docs/reliability.md lists them. */
export const RULES = {
  'executed twice': 'each key is executed at most once',
  'not executed': 'what was acknowledged is done, exactly as its answer says',
  'not the same bytes': 'every replay is the first answer, byte for byte',
  'key stuck': 'each key is answered within the limit after the last recovery',
  'event lost': 'every event of an acknowledged write is recorded and delivered',
  'event of nothing': 'nothing is delivered of what was rolled back, and only the bytes and signatures that were recorded',
  'delivered after removal': 'no attempt is under way after a DELETE or an uninstall has answered',
  'media not imported': 'every media import ends by itself, each of its items as its source and its product deserve',
  'media differs': 'every imported image is one media and one file with its bytes, and no other file or media is there',
  'slug twice': 'no slug names two products',
  'figures differ': 'what the list shows is what the rows say, and its total is exact',
  'answer lost by SIGTERM': 'a process that is asked to stop answers what it does, and ends well',
  'not expected': 'no answer but those that are documented, and no process ends by itself',
} as const;

export type Rule = keyof typeof RULES;

export interface Violation {
  readonly rule: Rule;
  /** What it is about: a key, an event, a subscription. */
  readonly about: string;
  readonly what: string;
}

export const violation = (rule: Rule, about: string, what: string): Violation => ({ rule, about, what });
