import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { generateHelpTextForAllCommands, type Application, type CommandContext } from '@stricli/core';

import { tenon } from '../src/adapters/cli/tenon.ts';

const PAGE = 'docs/command-line.md';
const START = '<!-- reference: npm run command-line -->';
const END = '<!-- end of the reference -->';

/** The help of every command, as Markdown. */
export const commandReference = (): string =>
  generateHelpTextForAllCommands(tenon as unknown as Application<CommandContext>)
    .map(([route, help]) => `### ${route}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`)
    .join('\n');

/** The page with this reference in its place. */
export const withReference = (page: string, reference: string): string => {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the reference: ${START} ... ${END}`);
  return `${before}${START}\n\n${reference}\n${END}${after}`;
};

// `npm run command-line`, from the repository's root. test/adapters/cli/command-line.test.ts compares what is committed.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(PAGE, withReference(readFileSync(PAGE, 'utf8'), commandReference()));
  console.log(`wrote ${PAGE}`);
}
