import { createHash } from 'node:crypto';

import type { TableFigures } from './manifest.ts';

export interface TableDigest {
  readonly table: string;
  add(bytes: Buffer): void;
  figures(): TableFigures;
}

const NEWLINE = 0x0a;

export const linesOf = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
};

/** Counts and hashes the rows of a table, which are a line each. */
export const digestOf = (table: string): TableDigest => {
  const hash = createHash('sha256');
  let rows = 0;
  let size = 0;
  return {
    table,
    add: (bytes) => {
      hash.update(bytes);
      rows += linesOf(bytes);
      size += bytes.length;
    },
    figures: () => ({ name: table, rows, bytes: size, sha256: hash.copy().digest('hex') }),
  };
};
