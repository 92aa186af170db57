import { join } from 'node:path';
import ts from 'typescript';

import { root } from '../architecture/source.ts';

/** The blocks of TypeScript in a Markdown text. */
export const typescriptBlocks = (markdown: string): string[] =>
  [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  noEmit: true,
};

/**
 * Compiles the blocks, each as a module beside the packages of `folder`. The declarations of the
 * libraries are checked as well.
 */
export const faultsOf = (blocks: readonly string[], folder: string): string[] => {
  const files = new Map(blocks.map((code, n) => [join(folder, `block-${String(n + 1)}.mts`), `${code}\nexport {};\n`]));
  const host = ts.createCompilerHost(OPTIONS);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, language) => {
    const code = files.get(path);
    return code === undefined ? getSourceFile(path, language) : ts.createSourceFile(path, code, language);
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName ?? ''}:${String(line)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
};
