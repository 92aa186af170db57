import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** A phrase that readers stumble over, and what to write instead. */
export interface Banned {
  readonly phrase: RegExp;
  readonly instead: string;
}

/**
 * A blank of the phrase matches any white space, so a phrase that is folded over two lines is found
 * too.
 */
const ban = (phrase: RegExp, instead: string): Banned => ({
  phrase: new RegExp(phrase.source.replaceAll(' ', String.raw`\s+`), 'gi'),
  instead,
});

/** In every message, comment, test title and document. */
export const BANNED: readonly Banned[] = [
  ban(
    /\b(is|are|was|were|be|been|being|gets?) told\b|\btold (to|of|by|so|apart)\b|\b(unless|as|all as) told\b/,
    'is reported, is configured, by default',
  ),
  ban(/\btells? (of|apart|how far|whether|so)\b|\btelling of\b/, 'reports, says, distinguishes'),
  ban(/\bso (many|long|often|much)\b/, 'N, for this long, at most N'),
  ban(/(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more than\b)\w+/, 'is not a, does not exist'),
  ban(/(?<!\bthere )\b(is|are|was|were) none\b|\b(has|have|had) none\b/, 'does not exist, has no X'),
  ban(
    /\bstands? (in|on|there|at|as|behind|beside|still|alone|by|before|after)\b|\bstood\b|\bstanding\b/,
    'is, appears, is listed',
  ),
  ban(/\banew\b|\bonce more\b/, 'again'),
  ban(/\b(goes|go|went|going) on\b/, 'continues'),
  ban(/\bholds? (true|for|good)\b/, 'is valid, applies to'),
  ban(/\bof which\b|\bwhoever\b|\bwhatever\b|\bwhichever\b/, 'two sentences'),
  ban(/\b(its|their) own of\b|\bof ours\b|\bwith both of\b/, 'its own X, a separate X'),
  ban(/\basks? of\b|\ban ask\b|\basks for nothing\b/, 'requests'),
  ban(/\bwhat (is|has|was) (left|expired|still|due)\b/, 'name it: the remaining tokens, expired keys'),
  ban(/\bmend(s|ed|ing)?\b/, 'fix'),
  ban(
    /\bin vain\b|\bheed(s|ed)?\b|\bnought\b|\bthereof\b|\bthereby\b|\bherein\b|\bhence\b|\blest\b|\bere\b|\btill\b|\bshall\b/,
    'a word of today',
  ),
  ban(/\breckon(s|ed|ing)?\b|\bsought\b|\bspoil(s|ed|t)?\b|\bwont to\b/, 'estimates, searched for, breaks'),
  ban(/\bhad anew\b|\bgives? back\b|\bgiven back\b|\bhand(s|ed)? back\b|\blets? go\b|\bletting go\b/, 'returns, releases'),
  ban(/\b(that|as) there (is|are)(?=\s*[.,;:)])/, 'the existing X'),
  ban(/\bthe like\b|\band so on\b/, 'list them, or "for example"'),
  ban(/\bneed not\b|\bmust needs\b/, 'does not have to'),
];

/** How no comment begins: such a sentence has its noun elsewhere (docs/style.md, rule 1). */
const OPENING = ban(/(?<=^\s*)(what|whether|of|those|one|the same|as|it)\b/, 'a sentence with its own noun');

/** In what the interface answers: words for parts of the code, which a client does not know. */
export const INTERNAL: readonly Banned[] = [
  ban(/\b(gates?|fences?|fenced|sweeps?|swept|pacer|slices?|coalescers?|fan-?out)\b/, 'what it means to the client'),
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

const NO_TEXT = '\u00b7';
const blank = (text: string): string => text.replaceAll(/[^\s]/g, NO_TEXT);

/** The same text without what is quoted as code, so that positions stay. */
const withoutQuotedCode = (text: string): string => text.replaceAll(/`[^`\n]*`/g, blank);

interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Line comments below each other are one comment. */
const commentsOf = (code: string, file: ts.SourceFile): Comment[] => {
  const ranges = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(code, node.getEnd()) ?? []),
    ]) {
      ranges.set(pos, end);
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  const marks = (mark: string): string => ' '.repeat(mark.length);
  const comments: { line: number; text: string; end: number }[] = [];
  for (const [pos, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const text = withoutQuotedCode(code.slice(pos, end).replaceAll(/^\/\*+|\*\/$|^\/\/+|^[ \t]*\*/gm, marks));
    const before = comments.at(-1);
    const between = before === undefined ? null : code.slice(before.end, pos);
    if (before !== undefined && code.startsWith('//', pos) && /^[ \t]*\n[ \t]*$/.test(between ?? '')) {
      before.text += `${between ?? ''}${text}`;
      before.end = end;
    } else comments.push({ line: file.getLineAndCharacterOfPosition(pos).line + 1, text, end });
  }
  return comments;
};

/**
 * Sentences have blanks. What has none is a name, a path or a value, unless it is a part of a
 * template.
 */
const isSentence = (node: ts.LiteralLikeNode): boolean =>
  !(ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) || node.text.includes(' ');

/** Comments, messages and titles of a program. Names and module paths do not count. */
export const findInCode = (code: string, path = 'src/read.ts'): Finding[] => {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const isAnswered = /^(src\/(domain|application|adapters\/http)|console)\//.test(path);
  const file = ts.createSourceFile('read.ts', code, ts.ScriptTarget.Latest, true, kind);
  const findings = commentsOf(code, file).flatMap(({ line, text }) => find(text, line, [...BANNED, OPENING]));
  const lists = isAnswered ? [...BANNED, ...INTERNAL] : BANNED;
  const visit = (node: ts.Node): void => {
    if (isText(node) && isSentence(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      findings.push(...find(withoutQuotedCode(node.text), line + 1, lists));
    }
    // Text between tags, also where it is folded.
    if (ts.isJsxText(node) && node.text.trim() !== '') {
      const { line } = file.getLineAndCharacterOfPosition(node.getFullStart());
      findings.push(...find(node.text, line + 1, lists));
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return findings.sort((a, b) => a.line - b.line);
};

/** A document, without its code and the targets of its links. */
export const findInDocument = (text: string): Finding[] =>
  find(withoutQuotedCode(text.replaceAll(/^```[\s\S]*?^```/gm, blank)).replaceAll(/\]\([^)\s]*\)/g, blank), 1, BANNED);

/** Spares the parser the files without any of the words. Unfolds comments first. */
const mayHave = (text: string): boolean => {
  if (/\/[/*]+\s*(?:\*\s*)?(?:what|whether|of|those|one|the same|as|it)\b/i.test(text)) return true;
  const unfolded = text.replaceAll(/\n[ \t]*(?:\*|\/\/)?[ \t]*/g, ' ');
  return [...BANNED, ...INTERNAL].some(({ phrase }) => unfolded.search(phrase) >= 0);
};

/** Texts that others wrote, or that are tables of figures; and this list itself. */
const EXCEPT = /^(docs\/licences\.md|LICENSE|\.ci\/language\.ts|test\/architecture\/language\.test\.ts|bench\/results\/)/;

export const findIn = (path: string, text: string): Finding[] => {
  if (EXCEPT.test(path) || !mayHave(text)) return [];
  if (/\.(md|prisma|yml)$/.test(path) || path === '.ci/run') return findInDocument(text);
  return /\.(ts|tsx|mjs|cjs|js)$/.test(path) ? findInCode(text, path) : [];
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const only = process.argv.slice(2);
  // Those that the next commit may have: new ones too, and none that is gone.
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const files = listed.split('\n').filter((path) => path !== '' && existsSync(path));
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
