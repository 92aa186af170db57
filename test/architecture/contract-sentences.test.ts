import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

import { gapsBetween } from './contract-sentences.ts';
import { sourceFiles, textOf } from './source.ts';

const ports = sourceFiles('src/domain/ports').filter((file) => basename(file) !== 'index.ts');

const gapsOf = (file: string): string[] =>
  gapsBetween(textOf(file), textOf(`test/contract/${basename(file, '.ts')}.contract.ts`));

describe('the doc comments of a port are the titles of its contract', () => {
  it.each(ports)('%s', (file) => {
    expect(gapsOf(file)).toEqual([]);
  });
});

describe('a planted gap is found', () => {
  const PORT = `
    /** A definition. It has no test. */
    export interface Box { /** In grams. */ readonly weight: number }
    /** Called by the port. */
    export interface Handler { /** Handles one. */ run(id: string): void }
    /** Keeps boxes. */
    export interface Boxes {
      /** Adds the box. Returns \`null\` when
       *  the shelf is full. */
      add(box: Box): string | null;
      /** Removes the box. */
      remove(id: string): void;
      /** Calls the handler. */
      work(handler: Handler): void;
    }`;
  const CONTRACT = `
    export const boxesContract = (name: string) => {
      describe(\`Boxes on \${name}\`, () => {
        it('keeps boxes', () => {});
        describe('add', () => {
          it('Adds the box.', () => {});
          describe('returns null when the shelf is full', () => { it('of one place', () => {}); });
        });
        describe.each(['remove'] as const)('%s', () => { it.each([1, 2])('removes the box: %s', () => {}); });
        describe('work', () => { it.runIf(true)('calls the handler', () => {}); });
      });
    };`;
  const without = (text: string) => gapsBetween(PORT, CONTRACT.replace(text, ''));

  it('nowhere in what matches', () => {
    expect(gapsBetween(PORT, CONTRACT)).toEqual([]);
  });
  it('a sentence of a method without a test', () => {
    expect(without(`it('Adds the box.', () => {});`)).toEqual(['add: no test: adds the box']);
  });
  it('a sentence of the interface without a test', () => {
    expect(without(`it('keeps boxes', () => {});`)).toEqual([': no test: keeps boxes']);
  });
  it('a sentence that is a title of another method alone', () => {
    const moved = CONTRACT.replace(`it.each([1, 2])('removes the box: %s', () => {});`, '').replace(
      'Adds the box.',
      'Removes the box.',
    );
    expect(gapsBetween(PORT, moved)).toEqual([
      'add: no test: adds the box',
      'remove: no test: removes the box',
      'add: no sentence: removes the box',
    ]);
  });
  it('a method without a doc comment', () => {
    const gaps = gapsBetween(PORT.replace('/** Removes the box. */', ''), CONTRACT);
    expect(gaps).toEqual(['remove: no sentence', 'remove: no sentence: removes the box']);
  });
  it('a test that no sentence asks for', () => {
    const more = CONTRACT.replace(`it('keeps boxes'`, `it('counts boxes', () => {}); it('keeps boxes'`);
    expect(gapsBetween(PORT, more)).toEqual([': no sentence: counts boxes']);
  });
});
