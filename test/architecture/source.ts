import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const root = join(import.meta.dirname, '../..');

/**
 * Every TypeScript file below the folder, as paths from the repository's root with forward slashes;
 * none when it is not there.
 */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort();

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The folders of the storage engines that the wiring lists. */
export const engineFolders = (): string[] =>
  [...textOf('src/adapters/wiring/storage.ts').matchAll(/from '\.\.\/([\w-]+)\/engine\.ts'/g)].map(
    ([, engine = '']) => `src/adapters/${engine}`,
  );

/**
 * Names of the world outside: reading any of them makes the answer depend on more than the
 * arguments.
 */
const worldly = new Set([
  'process',
  'console',
  'fetch',
  'performance',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'globalThis',
  'Buffer',
]);

/** True for a use of the name as a value, and not for a property, a member or a declaration. */
const isReference = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isSpreadElement(parent)) return true;
  if (ts.isTypeNode(parent) || ts.isPropertyAssignment(parent))
    return ts.isPropertyAssignment(parent) && parent.initializer === node;
  return (
    ts.isExpression(parent) ||
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    ts.isExpressionStatement(parent)
  );
};

const dateFault = (node: ts.Node): string | null => {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) return 'new Date()';
  return ts.isCallExpression(node) && node.expression.getText() === 'Date' ? 'Date()' : null;
};

const memberFault = (node: ts.Node): string | null => {
  const text = ts.isPropertyAccessExpression(node) ? node.getText().replaceAll(/[\s?]/g, '') : '';
  return text === 'Date.now' || text === 'Math.random' ? text : null;
};

const nameFault = (node: ts.Node): string | null => {
  if (!ts.isIdentifier(node)) return null;
  return node.text === 'randomUUID' || (worldly.has(node.text) && isReference(node)) ? node.text : null;
};

const faultOf = (node: ts.Node): string | null => dateFault(node) ?? memberFault(node) ?? nameFault(node);

const find = (text: string, judge: (node: ts.Node) => string | null): string[] => {
  const file = ts.createSourceFile('scanned.ts', text, ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    const fault = judge(node);
    if (fault) faults.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${fault}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
};

/**
 * Finds reads of the outer world as `line: name`: results then depend on more than arguments.
 * Comments and strings don't count.
 */
export const worldlyReads = (text: string): string[] => find(text, faultOf);

/** Where this text reads the environment, as `line: ...`. */
export const environmentReads = (text: string): string[] =>
  find(text, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.getText().replaceAll(/[\s?]/g, '') === 'process.env') return 'process.env';
    if (ts.isElementAccessExpression(node) && node.expression.getText() === 'process') return 'process[...]';
    if (ts.isImportDeclaration(node) && /^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText())) return 'node:process';
    const taken =
      ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && node.initializer?.getText() === 'process';
    return taken ? '{ ... } = process' : null;
  });

/**
 * The settings that this text reads: `config.NAME`, or taken out of an object by `{ NAME }` or `{
 * NAME: name }`.
 */
export const settingReads = (text: string, names: ReadonlySet<string>): string[] => {
  const read = (node: ts.Node): string | null => {
    if (ts.isPropertyAccessExpression(node)) return node.name.text;
    if (!ts.isBindingElement(node)) return null;
    return (node.propertyName ?? node.name).getText();
  };
  return find(text, (node) => {
    const name = read(node);
    return name !== null && names.has(name) ? name : null;
  }).map((fault) => fault.replace(/^\d+: /, ''));
};

/** True when the function runs at the load of its module: it is the argument of a call at the module's top. */
const runsAtLoad = (node: ts.FunctionLikeDeclaration): boolean =>
  ts.isCallExpression(node.parent) && node.parent.arguments.includes(node as ts.ArrowFunction) && !isInFunction(node.parent);

const isInFunction = (node: ts.Node): boolean => {
  for (let at = node.parent as ts.Node | undefined; at !== undefined; at = at.parent as ts.Node | undefined) {
    if (ts.isFunctionLike(at)) return !runsAtLoad(at as ts.FunctionLikeDeclaration);
  }
  return false;
};

/**
 * The lines that declare a statement (`statement({ ... })`) in a function that may run after the
 * module is loaded.
 */
export const lateStatements = (text: string): string[] =>
  find(text, (node) =>
    ts.isCallExpression(node) && node.expression.getText() === 'statement' && isInFunction(node) ? 'statement' : null,
  ).map((fault) => fault.replace(/:.*/, ''));

/** `NAME`, or `NAME.key`: what of the module a value is part of. */
const declaredAs = (node: ts.Node): string => {
  const keys: string[] = [];
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isPropertyAssignment(at) || ts.isVariableDeclaration(at)) keys.unshift(at.name.getText().replaceAll("'", ''));
  }
  return keys.join('.');
};

/** The name of each statement that this text declares, by `line:column` of its call. */
export const statementNames = (text: string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  const file = ts.createSourceFile('scanned.ts', text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'statement') {
      const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
      names.set(`${String(line + 1)}:${String(character + 1)}`, declaredAs(node));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
};
