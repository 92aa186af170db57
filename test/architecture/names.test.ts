import ts from 'typescript';
import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

/**
 * Modules beside the rule: Prisma writes its client; the types of answers have the names of the API;
 * a command has the name of the use case that it calls.
 */
const BESIDE = /^src\/(generated|adapters\/http\/(?:[\w-]+\/)?answers\.ts|adapters\/cli\/commands)/;

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const bound = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((part) => (ts.isOmittedExpression(part) ? [] : bound(part.name)));

/** The names that a module declares and exports. A name that it passes on is another module's. */
const exportedNames = (text: string): ReadonlySet<string> => {
  const { statements } = ts.createSourceFile('scanned.ts', text, ts.ScriptTarget.Latest);
  return new Set(
    statements.filter(isExported).flatMap((node) => {
      if (ts.isVariableStatement(node)) return node.declarationList.declarations.flatMap(({ name }) => bound(name));
      return 'name' in node && node.name !== undefined ? [(node.name as ts.Identifier).text] : [];
    }),
  );
};

const repeatedIn = (texts: readonly string[]): string[] => {
  const names = texts.flatMap((text) => [...exportedNames(text)]);
  const seen = new Set<string>();
  const again = names.filter((name) => seen.size === seen.add(name).size);
  return [...new Set(again)].sort();
};

it('finds a name that two modules export', () => {
  const texts = [
    'export const a = 1; export interface B {}',
    'export type B = 1; const a = 2; export { c } from "./c";',
    'export const { c } = x;',
  ];
  expect(repeatedIn(texts)).toEqual(['B']);
});

it('an exported name of src is unique (docs/style.md, rule 6)', () => {
  const repeated = repeatedIn(
    sourceFiles('src')
      .filter((file) => !BESIDE.test(file))
      .map(textOf),
  );
  expect(repeated).toEqual([]);
});
