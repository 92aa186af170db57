import { defaultOf, settings } from '../wiring/config.ts';

/** The settings as rows: name, default in the development profile, what it is. */
const rows = Object.entries(settings).map(([name, { about }]) => ({ name, standard: defaultOf(name), about }));

const width = Math.max(...rows.map(({ name }) => name.length));

/** What `npm start -- --help` prints. */
export const helpText = (): string =>
  [
    'Tenon: the installed-app API of a commerce platform.',
    '',
    'Usage: npm start [-- --help]',
    '',
    'Settings, from the environment:',
    ...rows.map(({ name, standard, about }) => `  ${name.padEnd(width)}  ${about}${standard === '' ? '' : ` [${standard}]`}`),
    '',
  ].join('\n');

/** The table of settings in docs/configuration.md. */
export const settingsTable = (): string =>
  [
    '| Setting | Default | |',
    '|---|---|---|',
    ...rows.map(({ name, standard, about }) => `| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${about} |`),
    '',
  ].join('\n');
