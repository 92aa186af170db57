import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const HEAD = `# Reliability

This page is for operators and for anyone who wants to check what Tenon promises. It shows the results of long campaigns of load, bad input and faults, and the command
that repeats each one. The campaigns write the sections at their end; do not edit them.
`;

/**
 * Replaces the section of that name, or appends it to the text. The other sections do not change.
 */
export const withSection = (text: string, name: string, body: string): string => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const section = `${begin}\n\n${body.trim()}\n\n${end}`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) return `${text.trimEnd()}\n\n${section}\n`;
  return `${text.slice(0, from)}${section}${text.slice(to + end.length)}`;
};

/**
 * Writes one section of a Markdown file and creates the file if it does not exist. The text is
 * formatted by Prettier.
 */
export const keepSection = async (path: string, name: string, body: string): Promise<void> => {
  const text = withSection(existsSync(path) ? readFileSync(path, 'utf8') : HEAD, name, body);
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'markdown' }));
};
