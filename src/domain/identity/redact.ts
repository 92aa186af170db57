import { CREDENTIAL_PREFIXES } from './token.ts';

/** A path may have the underscore percent-encoded. */
const prefixes = CREDENTIAL_PREFIXES.map((prefix) => prefix.replaceAll('_', '(?:_|%5f)')).join('|');

const CREDENTIAL = new RegExp(`(${prefixes})[\\w+/=%.~-]*`, 'gi');

/**
 * The text with every Tenon credential cut after its prefix. A client's path or an error's message
 * may contain one, and both are logged.
 */
export const redactCredentials = (text: string): string => text.replace(CREDENTIAL, '$1[cut]');
