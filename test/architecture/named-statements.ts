import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';

import type { AnyStatement, statement } from '../../src/adapters/prisma/connection/statement.ts';
import { root, sourceFiles, statementNames, textOf } from './source.ts';

const FOLDER = 'src/adapters/prisma';
const MODULE = '../../src/adapters/prisma/connection/statement.ts';

export interface NamedStatement {
  /** `webhooks/backlog.ts COUNT`: the file and what of it the statement is part of. */
  readonly name: string;
  readonly statement: AnyStatement;
}

/** Where the function was called that calls this one: `file` from the repository's root, and `line:column`. */
const callSite = (): { file: string; at: string } => {
  const [, , , line = ''] = (new Error('where').stack ?? '').split('\n');
  const [, path = '', at = ''] = /\(?([^( ]+):(\d+:\d+)\)?$/.exec(line) ?? [];
  return { file: relative(root, path).replaceAll('\\', '/'), at };
};

/** Loads every module of src/adapters/prisma again, and names the statements that it declares by their place in the source. */
export const namedStatements = async (): Promise<NamedStatement[]> => {
  const names = new Map(sourceFiles(FOLDER).map((file) => [file, statementNames(textOf(file))]));
  const found: NamedStatement[] = [];
  vi.resetModules();
  vi.doMock(MODULE, async (original) => {
    const real = await original<{ statement: typeof statement }>();
    const named = (declaration: Parameters<typeof statement>[0]): AnyStatement => {
      const { file, at } = callSite();
      const name = names.get(file)?.get(at);
      if (name === undefined) throw new Error(`${file}:${at} declares a statement that has no name`);
      const declared = real.statement(declaration);
      found.push({ name: `${file.slice(FOLDER.length + 1)} ${name}`, statement: declared });
      return declared;
    };
    return { ...real, statement: named };
  });
  for (const file of names.keys()) await import(pathToFileURL(join(root, file)).href);
  vi.doUnmock(MODULE);
  vi.resetModules();
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
};
