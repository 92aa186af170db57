import { CREDENTIAL_PREFIXES } from './token.ts';

/** A path may have the underscore percent-encoded. */
const prefixes = CREDENTIAL_PREFIXES.map((prefix) => prefix.replaceAll('_', '(?:_|%5f)')).join('|');

const CREDENTIAL = new RegExp(`(${prefixes})[\\w+/=%.~-]*`, 'gi');

export type Redact = (text: string) => string;

/**
 * The text with every Tenon credential cut after its prefix. A client's path or an error's message
 * may contain one, and both are logged.
 */
export const redactCredentials: Redact = (text) => text.replace(CREDENTIAL, '$1[cut]');

const escaped = (character: string): string =>
  /[\w-]/.test(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** The character as it is, or percent-encoded. */
const spelled = (character: string): string => {
  const bytes = [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
  return `(?:${escaped(character)}|${bytes.join('')})`;
};

/** Also cuts a token that an operator chose, which has no prefix. */
export const redactingToken = (token: string): Redact => {
  const chosen = new RegExp(Array.from(token, spelled).join(''), 'giu');
  return (text) => redactCredentials(text).replace(chosen, '[cut]');
};
