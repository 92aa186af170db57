import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { root, sourceFiles, textOf } from './source.ts';

/** Folders that may hold the implementation that runs in production. */
const real = ['prisma', 'node', 'redis', 'bullmq', 'live', 'outgoing'];

/**
 * Files of src/domain/ports that stand for no adapter file of their own, and why: `index` lists the
 * ports; `transaction` is the place where the others are bound together, so it is made in each
 * side's index.ts.
 */
const withoutFile = new Set(['index', 'transaction']);

const ports = sourceFiles('src/domain/ports').map((file) => basename(file, '.ts'));
/** Where each side has its files. */
const folderOf = (side: string): string => (side === 'memory' ? 'test/memory' : `src/adapters/${side}`);
const filesOf = new Map(
  ['memory', ...real].map((side) => [side, sourceFiles(folderOf(side)).map((file) => basename(file, '.ts'))]),
);
/** Looks for a file with the port's name on the side, in any room. */
const has = (side: string, port: string): boolean => filesOf.get(side)?.includes(port) ?? false;
/**
 * Ports whose implementation for one node keeps everything in memory, in production too. It is in
 * `node/`.
 */
const inNode = new Set(['rate-limiter']);
/** Storages that run the suites of all ports. */
const STORAGES = ['memory', 'prisma'];
const stored = textOf('test/contract/storage-contracts.ts');
/** The names under which a runner runs the contract. */
const runsOf = (runner: string, contract: string): readonly string[] =>
  [...runner.matchAll(new RegExp(`\\b${contract}\\(\\s*['"\`]([^'"\`]+)`, 'g'))].map((match) => match[1] ?? '');
const present = (path: string) => existsSync(join(root, path));

describe('every port', () => {
  it('is checked', () => {
    expect(ports.filter((port) => !withoutFile.has(port)).length).toBeGreaterThan(0);
  });

  describe.each(ports.filter((port) => !withoutFile.has(port)))('%s', (port) => {
    it('has a memory implementation of the same name', () => {
      expect(has(inNode.has(port) ? 'node' : 'memory', port), port).toBe(true);
    });
    it('has a real implementation of the same name', () => {
      expect(real.filter((side) => has(side, port)).length, `src/adapters/{${real.join()}}/**/${port}.ts`).toBeGreaterThan(0);
    });
  });

  describe.each(ports.filter((port) => port !== 'index'))('%s', (port) => {
    const contract = `test/contract/${port}.contract.ts`;
    const sides = ['memory', ...real].filter((side) => has(side, port));
    it('has a contract that every implementation runs', () => {
      expect(present(contract), contract).toBe(true);
      const exported = /export const (\w+Contract)\b/.exec(textOf(contract))?.[1] ?? '';
      expect(exported, `${contract} exports xContract(name, open)`).not.toBe('');
      const isStored = withoutFile.has(port) || sides.includes('prisma');
      // The contract of an optional promise is run where the world gives it.
      const isRun = stored.includes(`${exported}(name`) || stored.includes(`, ${exported});`);
      expect(isStored).toBe(isRun);
      // The storage adapters run what storage-contracts.ts lists.
      const others = sides.filter((side) => !isStored || !STORAGES.includes(side));
      const runner = `test/contract/${port}.test.ts`;
      const runs = others.length === 0 ? [] : runsOf(textOf(runner), exported);
      expect(others.filter((side) => !runs.some((name) => name.toLowerCase().includes(side)))).toEqual([]);
    });
  });
});

describe('the suites of a storage', () => {
  const rooms = [...stored.matchAll(/^ {2}(\w+): \(.*\) => \{$/gm)].map(([, room]) => room);
  it('are all run on PostgreSQL, a room for each file', () => {
    const run = sourceFiles('test/contract/postgresql').flatMap((file) => /^ROOMS\.(\w+)\(/m.exec(textOf(file))?.[1] ?? []);
    expect(rooms.length).toBeGreaterThan(5);
    expect(run.sort()).toEqual(rooms.sort());
  });
  it.each(sourceFiles('test/contract').filter((file) => /(\.contract|worlds?|storage-contracts)\.ts$/.test(file)))(
    '%s names no adapter and reads no rows',
    (file) => {
      expect(textOf(file)).not.toMatch(/adapters\/prisma|support\/postgres|memory\/(?!clock|ids)|\bSELECT\b/);
    },
  );
});

describe('a contract', () => {
  it.each(sourceFiles('test/contract').filter((file) => file.endsWith('.contract.ts')))('%s belongs to a port', (file) => {
    expect(ports).toContain(basename(file, '.contract.ts'));
  });
});
