import { SETTINGS } from '../settings.ts';

const fallbackOf = ({ fallback }: (typeof SETTINGS)[keyof typeof SETTINGS]): string => {
  const text = typeof fallback === 'function' ? fallback('development') : fallback;
  return text === undefined || text === '' ? '' : text;
};

/** The settings as rows: name, default in the development profile, what it is. */
export const settingRows = (): { name: string; fallback: string; about: string }[] =>
  Object.entries(SETTINGS).map(([name, setting]) => ({ name, fallback: fallbackOf(setting), about: setting.about }));

/** What `npm start -- --help` prints. */
export const help = (): string => {
  const rows = settingRows();
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, fallback, about }) => `  ${name.padEnd(width)}  ${about}${fallback === '' ? '' : ` [${fallback}]`}`);
  return ['Tenon: the installed-app API of a commerce platform.', '', 'Usage: npm start [-- --help]', '', 'Settings, from the environment:', ...lines, ''].join('\n');
};
