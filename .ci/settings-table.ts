import { defaultOf, settings } from '../src/adapters/wiring/settings/config.ts';

/** The table of settings in docs/configuration.md. */
export const settingsTable = (): string =>
  [
    '| Setting | Default | |',
    '|---|---|---|',
    ...Object.entries(settings).map(([name, { about }]) => {
      const standard = defaultOf(name);
      return `| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${about} |`;
    }),
    '',
  ].join('\n');
