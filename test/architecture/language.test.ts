import { describe, expect, it } from 'vitest';

import { findIn, findInCode, findInDocument } from '../../.ci/language.ts';

const inCode = (code: string) => findInCode(code).map(({ line, phrase }) => [line, phrase]);
const inDocument = (text: string) => findInDocument(text).map(({ line, phrase }) => [line, phrase]);

describe('npm run language', () => {
  it('finds a banned phrase in a message, also in one with inserted values', () => {
    expect(inCode("refuse('The key was read anew.');")).toEqual([[1, 'anew']]);
    expect(inCode('refuse(`${name} is no integer, and ${other} is told of it`);')).toEqual([
      [1, 'is no integer'],
      [1, 'is told'],
    ]);
  });

  it('finds a banned phrase in a test title', () => {
    expect(inCode("it('goes on after a crash', () => {});")).toEqual([[1, 'goes on']]);
  });

  it('finds a banned phrase in a comment, also where the comment is folded', () => {
    expect(inCode('\n/** Reads anew. */\nconst a = 1;')).toEqual([[2, 'anew']]);
    expect(inCode('/**\n * The rest goes\n * on.\n */\nconst a = 1; // once more')).toEqual([
      [2, 'goes\n   on'],
      [5, 'once more'],
    ]);
    expect(inCode('const a = () => {\n  // The worker is\n  // told.\n};')).toEqual([[2, 'is\n     told']]);
  });

  it('finds a comment that begins with a word for a noun elsewhere', () => {
    expect(inCode('/** Whether it is open. */\nconst a = 1; // The same as b.')).toEqual([
      [1, 'Whether'],
      [2, 'The same'],
    ]);
    expect(inCode('/**\n * It waits. */\nconst a = 1;')).toEqual([[2, 'It']]);
    expect(inCode('// The worker waits.\n// It stops then.\nconst a = 1;\n// `It` is a name.')).toEqual([]);
  });

  it('finds a banned phrase in a document', () => {
    expect(inDocument('# Title\n\nThe row stands\nin the table.')).toEqual([[3, 'stands\nin']]);
  });

  it('finds a banned phrase in the text of a page', () => {
    const page = 'const Page = () => (\n  <p>\n    The delivery is held\n    <b>till</b> then.\n  </p>\n);';
    expect(findIn('console/page.tsx', page).map(({ line, phrase }) => [line, phrase])).toEqual([[4, 'till']]);
  });

  it('allows "there is no"', () => {
    expect(inDocument('There is no such store. There are none.')).toEqual([]);
  });

  it('ignores names, paths, values and quoted code', () => {
    expect(inCode("import { anew } from './anew.ts';\nconst stood = { hence: 'anew' };\nread('test/stood.ts');")).toEqual([]);
    expect(inCode('// The table `stood` is locked.')).toEqual([]);
    expect(inDocument('```sh\ngoes on\n```\nSee `anew` and [the page](stood.md).')).toEqual([]);
  });

  it('finds words for parts of the code in what the interface answers, and nowhere else', () => {
    const code = "refuse('The gate is closed.');";
    expect(findIn('src/domain/webhooks/subscription.ts', code)).toHaveLength(1);
    expect(findIn('src/adapters/prisma/work/stop-work.ts', code)).toEqual([]);
    expect(findIn('src/application/index.ts', '// The gate is closed.')).toEqual([]);
  });
});
