import { CREDENTIAL_PREFIXES } from './token.ts';

/** An underscore may come percent-encoded in a path. */
const prefixes = CREDENTIAL_PREFIXES.map((prefix) => prefix.replaceAll('_', '(?:_|%5f)')).join('|');

const CREDENTIAL = new RegExp(`(${prefixes})[\\w+/=%.~-]*`, 'gi');

/** The text with every credential of Tenon's cut behind its prefix: for a log, where a client's path or an error's message may hold one. */
export const redactCredentials = (text: string): string => text.replace(CREDENTIAL, '$1[cut]');
