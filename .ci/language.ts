import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** A phrase that readers stumble over, and what to write instead. */
export interface Banned {
  readonly phrase: RegExp;
  readonly instead: string;
}

const ban = (phrase: RegExp, instead: string): Banned => ({ phrase: new RegExp(phrase, 'gi'), instead });

/** In every message, comment, test title and document. */
export const BANNED: readonly Banned[] = [
  ban(
    /\b(is|are|was|were|be|been|being|gets?) told\b|\btold (to|of|by|so|apart)\b|\b(unless|as|all as) told\b/,
    'is reported, is configured, by default',
  ),
  ban(/\btells? (of|apart|how far|whether|so)\b|\btelling of\b/, 'reports, says, distinguishes'),
  ban(/\bso (many|long|often|much)\b/, 'N, for this long, at most N'),
  ban(/\b(is|are|was|were) no (?!longer|more than)\w/, 'is not a, does not exist'),
  ban(/\b(is|are|was|were) none\b|\b(has|have|had) none\b/, 'does not exist, has no X'),
  ban(
    /\bstands? (?!for\b)(in|on|there|at|as|behind|beside|still|alone|by|before|after)\b|\bstood\b|\bstanding\b/,
    'is, appears, is listed',
  ),
  ban(/\banew\b|\bonce more\b/, 'again'),
  ban(/\b(goes|go|went|going) on\b/, 'continues'),
  ban(/\bholds? (true|for|good)\b/, 'is valid, applies to'),
  ban(/\bof which\b|\bwhoever\b|\bwhatever\b|\bwhichever\b/, 'two sentences'),
  ban(/\bits own of\b|\bof ours\b/, 'its own X, a separate X'),
  ban(/\basks? of\b|\ban ask\b|\basks for nothing\b/, 'requests'),
  ban(/\bwhat (is|has|was) (left|expired|still|due)\b/, 'name it: the remaining tokens, expired keys'),
  ban(/\bmend(s|ed|ing)?\b/, 'fix'),
  ban(/\bin vain\b|\bheed(s|ed)?\b|\bnought\b|\bthereof\b|\bthereby\b|\bherein\b|\bhence\b|\blest\b|\bere\b/, 'a word of today'),
  ban(/\bhad anew\b|\bgives? back\b|\bgiven back\b|\bhand(s|ed)? back\b/, 'returns, releases'),
  ban(/\bthat there (is|are)\b|\bas there (is|are)\b/, 'the existing X'),
  ban(/\bthe like\b|\band so on\b/, 'list them, or "for example"'),
  ban(/\bneed not\b|\bmust needs\b/, 'does not have to'),
];

/** In what the interface answers: words for parts of the code, which a client does not know. */
export const INTERNAL: readonly Banned[] = [
  ban(/\b(gate|fence|fenced|sweep|sweeps|swept|pacer|slice)\b/, 'what it means to the client'),
];

export interface Finding {
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

const find = (text: string, firstLine: number, lists: readonly Banned[]): Finding[] =>
  lists.flatMap(({ phrase, instead }) =>
    [...text.matchAll(phrase)].map((match) => ({
      line: firstLine + text.slice(0, match.index).split('\n').length - 1,
      phrase: match[0],
      instead,
    })),
  );

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  node.kind === ts.SyntaxKind.TemplateHead ||
  node.kind === ts.SyntaxKind.TemplateMiddle ||
  node.kind === ts.SyntaxKind.TemplateTail;

/** Comments and texts of a program; names and module paths do not count. A comment that goes over several lines is one text. */
export const findInCode = (code: string, isAnswered = false): Finding[] => {
  const file = ts.createSourceFile('read.ts', code, ts.ScriptTarget.Latest, true);
  const findings: Finding[] = [];
  const lineOf = (at: number): number => file.getLineAndCharacterOfPosition(at).line + 1;
  const comments = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(code, node.getEnd()) ?? []),
    ]) {
      if (comments.has(range.pos)) continue;
      comments.add(range.pos);
      findings.push(...find(code.slice(range.pos, range.end), lineOf(range.pos), BANNED));
    }
    const isModule = ts.isImportDeclaration(node.parent ?? node) || ts.isExportDeclaration(node.parent ?? node);
    if (isText(node) && !isModule) {
      findings.push(...find(node.text, lineOf(node.getStart()), isAnswered ? [...BANNED, ...INTERNAL] : BANNED));
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return findings.sort((a, b) => a.line - b.line);
};

/** A document, without its blocks of code. */
export const findInDocument = (text: string): Finding[] =>
  find(
    text
      .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
      .replaceAll(/`[^`\n]*`/g, (code) => ' '.repeat(code.length)),
    1,
    BANNED,
  );

/** Texts that others wrote, or that are tables of figures; and this list itself. */
const EXCEPT = /^(docs\/licences\.md|LICENSE|\.ci\/language\.ts|test\/architecture\/language\.test\.ts|bench\/results\/)/;

export const findIn = (path: string, text: string): Finding[] => {
  if (EXCEPT.test(path)) return [];
  if (path.endsWith('.md')) return findInDocument(text);
  return /\.(ts|mjs|cjs|js)$/.test(path) ? findInCode(text, /^src\/(domain|application|adapters\/http)\//.test(path)) : [];
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const only = process.argv.slice(2);
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  let count = 0;
  for (const path of files.filter((file) => only.length === 0 || only.some((start) => file.startsWith(start)))) {
    for (const { line, phrase, instead } of findIn(path, readFileSync(path, 'utf8'))) {
      count += 1;
      process.stdout.write(`${path}:${line}: "${phrase.replaceAll('\n', ' ')}": write ${instead}\n`);
    }
  }
  if (count > 0) process.stdout.write(`${count} phrases to be written in plain English; .ci/language.ts has the list.\n`);
  process.exitCode = count > 0 ? 1 : 0;
}
