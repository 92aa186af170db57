import type { AuditRefusal } from './audit-refusal.ts';

export const AUDIT_DAYS = 730;

/** The most characters of a body, or of what a reader found, that the audit log keeps. */
const MAX_AUDITED = 16_384;

/** Ways to request a change. */
export const WAYS = ['console', 'command_line', 'api'] as const;
export type Way = (typeof WAYS)[number];

/** A change that somebody on the merchant's side asked for. */
export interface AuditAsked {
  /** Set where nothing was done, because nobody with a right to it asked. It is the first member of the content (REFUSAL_PREFIX). */
  readonly refusal?: AuditRefusal;
  readonly operator: string;
  readonly way: Way;
  readonly address: string;
  /** Summary of the route. */
  readonly what: string;
  readonly route: string;
  readonly path: string;
  readonly requestId: string;
  /** Without credentials. Null where there was none, or it was too large. */
  readonly body: unknown;
  /** State before the change; null where nothing reads it. */
  readonly before: unknown;
}

export interface AuditAnswer {
  readonly status: number;
  readonly code: string | null;
  /** The id of what was created; null for none. */
  readonly created: string | null;
  /** State after the change; null where nothing reads it. */
  readonly after: unknown;
}

/** Name where the credentials were wrong. */
export const UNKNOWN_OPERATOR = 'Unknown';

const SECRET_MEMBER = /secret|token|password|authorization|cookie|api-?key/i;

/** The value without the members whose names say that they hold a credential. */
const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isSecret = SECRET_MEMBER.test(name) && typeof member === 'string';
      return [name, isSecret ? '[cut]' : withoutSecrets(member)];
    }),
  );
};

/** Shortens a value and removes everything that `redact` finds. */
export const auditedOf = (value: unknown, redact: (text: string) => string): unknown => {
  const text = redact(JSON.stringify(withoutSecrets(value ?? null)));
  return text.length > MAX_AUDITED ? { tooLarge: text.length } : (JSON.parse(text) as unknown);
};

/** Text that the hash of an entry covers, after the hash before it. */
export const chainedText = (entry: {
  readonly storeId: string;
  readonly number: number;
  readonly id: string;
  readonly at: string;
  readonly operatorId: string | null;
  readonly answers: string | null;
  readonly content: string;
}): string =>
  [entry.storeId, entry.number, entry.id, entry.at, entry.operatorId ?? '', entry.answers ?? '', entry.content].join('|');
