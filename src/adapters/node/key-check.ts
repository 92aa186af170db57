import { hkdfSync } from 'node:crypto';

import type { SecretKey } from '../startup/secret-keys.ts';

export interface NeededKey {
  readonly kid: string;
  readonly check: string;
}

/** A value that shows whether a key is the same one, and nothing else of it. */
const checkOf = ({ key }: SecretKey): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'tenon archive key check v1', 32)).toString('hex');

export const keyChecks = (keys: readonly SecretKey[]): NeededKey[] => keys.map((key) => ({ kid: key.kid, check: checkOf(key) }));

/** The names of the needed keys that are not among `keys`, or are other keys of the same name. */
export const missingKeys = (needed: readonly NeededKey[], keys: readonly SecretKey[]): string[] => {
  const present = new Set(keyChecks(keys).map(({ check }) => check));
  return needed.filter(({ check }) => !present.has(check)).map(({ kid }) => kid);
};
