import ts from 'typescript';

/** Promises of a port: the sentences of its interfaces, and of each method or field by name. */
export interface Promises {
  readonly general: readonly string[];
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** A `describe` or a test in a contract, with the titles that lead to it. */
interface Title {
  readonly kind: 'group' | 'test';
  readonly path: readonly string[];
}

/**
 * Titles and sentences are compared without case, back-ticks, the final full stop and the case's
 * name (`: %s`).
 */
const normalise = (text: string): string =>
  text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim().replace(/: %s$/, '').replace(/\.$/, '').toLowerCase();

const parse = (text: string): ts.SourceFile => ts.createSourceFile('read.ts', text, ts.ScriptTarget.Latest, true);

const sentencesOf = (node: ts.Node): string[] =>
  ts
    .getJSDocCommentsAndTags(node)
    .flatMap((doc) => ts.getTextOfJSDocComment(doc.comment) ?? [])
    .flatMap((text) => text.replaceAll(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z`])/))
    .map(normalise)
    .filter(Boolean);

/**
 * Reads the promises of a port's file. An interface with methods is a port. Types, and interfaces
 * of fields alone, are definitions and promise nothing. Neither does an interface that a method
 * takes as an argument, since the caller implements it.
 */
const promisesOf = (text: string): Promises => {
  const interfaces = parse(text).statements.filter(ts.isInterfaceDeclaration);
  const ports = interfaces.filter(({ members }) => members.some(ts.isMethodSignature));
  const taken = new Set(
    ports.flatMap(({ members }) =>
      members.filter(ts.isMethodSignature).flatMap(({ parameters }) => parameters.map(({ type }) => type?.getText())),
    ),
  );
  const promising = ports.filter(({ name }) => !taken.has(name.text));
  return {
    general: promising.flatMap(sentencesOf),
    members: new Map(
      promising.flatMap(({ members }) => members.map((member) => [member.name?.getText() ?? '', sentencesOf(member)] as const)),
    ),
  };
};

/** The literal texts of `.each(['a', 'b'])`, which a title of `%s` stands for. */
const casesOf = (call: ts.CallExpression): string[] => {
  const list = ts.isCallExpression(call.expression) ? call.expression.arguments[0] : undefined;
  const array = list && ts.isAsExpression(list) ? list.expression : list;
  return array && ts.isArrayLiteralExpression(array) ? array.elements.filter(ts.isStringLiteral).map(({ text }) => text) : [];
};

const titlesIn = (text: string): Title[] => {
  const titles: Title[] = [];
  const visit = (node: ts.Node, path: readonly string[]): void => {
    const callee = ts.isCallExpression(node) ? /^(describe|it)\b/.exec(node.expression.getText())?.[1] : undefined;
    const [title, body] = ts.isCallExpression(node) ? node.arguments : [];
    if (!ts.isCallExpression(node) || !callee || !title || !body || !ts.isStringLiteralLike(title)) {
      ts.forEachChild(node, (child) => visit(child, path));
      return;
    }
    for (const one of title.text === '%s' ? casesOf(node) : [title.text]) {
      const here = [...path, normalise(one)];
      titles.push({ kind: callee === 'it' ? 'test' : 'group', path: here });
      visit(body, here);
    }
  };
  visit(parse(text), []);
  return titles;
};

/**
 * Where a port's promises and the titles of its contract differ, one line each. A sentence of a
 * method is a title below `describe('<method>')`; a sentence of the interface is a title anywhere
 * else. A test has such a title, or is one case below it.
 */
export const gapsBetween = (port: string, contract: string): string[] => {
  const { general, members } = promisesOf(port);
  const names = new Map([...members.keys()].map((name) => [normalise(name), name]));
  const titles = titlesIn(contract);
  const memberOf = ({ path }: Title): string => path.map((title) => names.get(title)).find(Boolean) ?? '';
  const promises = new Map([['', general], ...members]);
  const isPromised = (title: Title): boolean => title.path.some((text) => promises.get(memberOf(title))?.includes(text));
  const unproven = [...promises].flatMap(([member, sentences]) => {
    const proven = new Set(titles.filter((title) => memberOf(title) === member).map(({ path }) => path.at(-1)));
    return sentences.filter((sentence) => !proven.has(sentence)).map((sentence) => `${member}: no test: ${sentence}`);
  });
  const silent = [...members].filter(([, sentences]) => sentences.length === 0).map(([member]) => `${member}: no sentence`);
  const extra = titles
    .filter((title) => title.kind === 'test' && !isPromised(title))
    .map((title) => `${memberOf(title)}: no sentence: ${title.path.at(-1) ?? ''}`);
  return [...unproven, ...silent, ...extra];
};
