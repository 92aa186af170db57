import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { EVENT_HEADINGS, DECLARED_EVENTS, WEBHOOKS, type EventDeclaration } from '../src/domain/events/event-types.ts';

const PAGE = 'docs/webhooks.md';
const START = '<!-- event types: npm run openapi -->';
const END = '<!-- end of the event types -->';
const CONSOLE = 'console/generated/event-types.ts';

const fieldsOf = ({ data }: Pick<EventDeclaration, 'data'>): string =>
  data.kind === 'record'
    ? Object.keys(data.fields)
        .map((name) => `\`${name}\``)
        .join(', ')
    : 'what the merchant sent';

type Row = readonly [type: string, scope: string, fields: string];

/** Columns as wide as prettier makes them. */
const table = ([head, ...rows]: readonly [Row, ...Row[]]): string => {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};

const eventTable = (): string =>
  table([
    ['Type', 'Scope', 'Fields of `data`'],
    ...Object.entries(WEBHOOKS).map(([type, declared]: [string, Omit<EventDeclaration, 'heading'>]): Row => [
      `\`${type}\``,
      declared.scope ?? '',
      fieldsOf(declared),
    ]),
  ]);

const byHeading = (): string => {
  const types = EVENT_HEADINGS.map((heading) => [
    heading,
    Object.entries(DECLARED_EVENTS).flatMap(([type, declared]) => (declared.heading === heading ? [type] : [])),
  ]);
  const text = JSON.stringify(Object.fromEntries(types), null, 2);
  return `// Written by \`npm run openapi\`. Do not edit.\nexport const TYPES_BY_HEADING = ${text} as const;\n`;
};

const page = (): string => {
  const [before, rest] = readFileSync(PAGE, 'utf8').split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${PAGE} has no place for the event types: ${START} ... ${END}`);
  return `${before}${START}\n\n${eventTable()}\n\n${END}${after}`;
};

/** The event types for people and for the console, by path from the repository's root. */
export const eventTypeFiles = (): Readonly<Record<string, string>> => ({ [PAGE]: page(), [CONSOLE]: byHeading() });

// `npm run openapi`, from the repository's root. test/architecture/event-types.test.ts compares what is committed.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of Object.entries(eventTypeFiles())) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
