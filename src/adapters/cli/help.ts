import type { CliContext } from './context.ts';
import type { RouteMap } from '@stricli/core';

/** The commands by what a person wants to do, in the order of the first screen. */
export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Run a server': ['start', 'config', 'doctor', 'migrate', 'backup', 'restore', 'keys', 'shards', 'verify'],
  'Look at a store': ['attention', 'incidents', 'stats', 'search', 'requests', 'open'],
  'Stores and apps': ['store', 'products', 'app', 'platformApps', 'operators', 'audit'],
  'Events and webhooks': ['events', 'deliveries', 'subscriptions', 'listen'],
  'This machine': ['profile', 'completion'],
};

const NAME_WIDTH = 15;

const asTyped = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The first screen, which fits one terminal of 40 lines. */
export const firstScreen = (root: RouteMap<CliContext>, heading: (text: string) => string): string => {
  const briefs = new Map(root.getAllEntries().map(({ name, target }) => [name.original, target.brief]));
  const groups = Object.entries(COMMAND_GROUPS).map(([title, names]) =>
    [heading(title), ...names.map((name) => `  ${asTyped(name).padEnd(NAME_WIDTH)}${briefs.get(name) ?? ''}`)].join('\n'),
  );
  return [
    `${root.brief}. Start with: tenon start`,
    groups.join('\n\n'),
    '',
    'More about a command: tenon help COMMAND. In the folder of the server, commands',
    'need no settings. Elsewhere, set TENON_ADMIN_URL and TENON_ADMIN_TOKEN.',
    '',
  ].join('\n');
};
