import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { AnyStatement } from '../src/adapters/prisma/connection/statement.ts';
import { root, sourceFiles, statementNames, textOf } from '../test/architecture/source.ts';

const FOLDER = 'src/adapters/prisma';

export interface NamedStatement {
  /** The file from src/adapters/prisma. */
  readonly file: string;
  /** `COUNT`, or `PURGE.find`: the constant of the file, and the keys in it. */
  readonly name: string;
  readonly statement: AnyStatement;
}

/** Where `statement` was called: `file` from the repository's root, and `line:column`. */
const callSite = (): { file: string; at: string } => {
  const [, , , , line = ''] = (new Error('where').stack ?? '').split('\n');
  const [, path = '', at = ''] = /\(?([^( ]+):(\d+:\d+)\)?$/.exec(line) ?? [];
  return { file: relative(root, path.startsWith('file:') ? fileURLToPath(path) : path).replaceAll('\\', '/'), at };
};

/** Loads every module of src/adapters/prisma, and names the statements that it declares by their place in the source. */
export const namedStatements = async (): Promise<NamedStatement[]> => {
  const names = new Map(sourceFiles(FOLDER).map((file) => [file, statementNames(textOf(file))]));
  const found: NamedStatement[] = [];
  const { statements, watchDeclarations } = await import('../src/adapters/prisma/connection/statement.ts');
  watchDeclarations((statement) => {
    const { file, at } = callSite();
    const name = names.get(file)?.get(at);
    if (name === undefined) throw new Error(`${file}:${at} declares a statement that has no name`);
    found.push({ file: file.slice(FOLDER.length + 1), name, statement });
  });
  for (const file of names.keys()) await import(pathToFileURL(join(root, file)).href);
  if (found.length < statements().length) throw new Error('Some of the modules were loaded before: reset them');
  return found.sort((a, b) => (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1));
};
