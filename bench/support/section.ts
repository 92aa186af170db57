import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const HEAD = `# Reliability

Each section is written by the campaign that it names, at the end of a long run; do not edit.
`;

/** The text with the section of that name replaced, or put at its end where it has none yet. The other sections stay as they are. */
export const withSection = (text: string, name: string, body: string): string => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const section = `${begin}\n\n${body.trim()}\n\n${end}`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) return `${text.trimEnd()}\n\n${section}\n`;
  return `${text.slice(0, from)}${section}${text.slice(to + end.length)}`;
};

/** Replaces one section of a Markdown file, which is made where there is none. Prettier's form, so that the check of formats passes. */
export const keepSection = async (path: string, name: string, body: string): Promise<void> => {
  const text = withSection(existsSync(path) ? readFileSync(path, 'utf8') : HEAD, name, body);
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'markdown' }));
};
