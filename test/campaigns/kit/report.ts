import { fileURLToPath } from 'node:url';

export { keepSection } from '../../../bench/support/section.ts';
export { machine } from '../../../bench/support/report.ts';

/** The page of the sections that campaigns write. */
export const RELIABILITY = fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url));

export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const counts = (map: ReadonlyMap<string, number>): string[][] =>
  [...map].sort(([one], [other]) => one.localeCompare(other)).map(([name, count]) => [name, number(count)]);
