import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/**
 * `npm run picture` writes docs/images/tour.svg from the output of `npm run tour`; a test compares
 * the two.
 */
const FILE = new URL('../docs/images/tour.svg', import.meta.url);
const LINE = { height: 22, width: 8.02, left: 24, top: 74 };
const COLOURS = { window: '#0f172a', bar: '#1e293b', text: '#e2e8f0', passed: '#4ade80', step: '#7dd3fc', dim: '#94a3b8' };

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `✓ step: what happened` in three colours; any other line as it is. */
const coloured = (line: string): string => {
  const [, step = '', rest = ''] = /^✓ ([^:]+):(.*)$/.exec(line) ?? [];
  if (step === '') return `<tspan fill="${COLOURS.text}">${escaped(line)}</tspan>`;
  return [
    `<tspan fill="${COLOURS.passed}">✓ </tspan>`,
    `<tspan fill="${COLOURS.step}">${escaped(step)}</tspan>`,
    `<tspan fill="${COLOURS.text}">:${escaped(rest)}</tspan>`,
  ].join('');
};

/** A terminal window that shows these lines. */
export const terminal = (lines: readonly string[]): string => {
  const longest = Math.max(...lines.map((line) => line.length));
  const width = Math.round(LINE.left * 2 + longest * LINE.width);
  const height = LINE.top + lines.length * LINE.height + 8;
  const rows = lines.map(
    (line, index) =>
      `  <text x="${LINE.left}" y="${LINE.top + index * LINE.height}" xml:space="preserve">${coloured(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Output of npm run tour">`,
    `  <style>text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }</style>`,
    `  <rect width="${width}" height="${height}" rx="10" fill="${COLOURS.window}"/>`,
    `  <path d="M0 10a10 10 0 0 1 10-10h${width - 20}a10 10 0 0 1 10 10v26H0z" fill="${COLOURS.bar}"/>`,
    ...['#f87171', '#fbbf24', '#4ade80'].map((fill, index) => `  <circle cx="${22 + index * 20}" cy="18" r="6" fill="${fill}"/>`),
    `  <text x="${width / 2}" y="23" text-anchor="middle"><tspan fill="${COLOURS.dim}">npm run tour</tspan></text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
};

/** The lines that such a picture shows. */
export const pictureText = (svg: string): string =>
  [...svg.matchAll(/xml:space="preserve">(.*)<\/text>/g)]
    .map(([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    )
    .join('\n');

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].split('/').at(-1) ?? '')) {
  const { stdout, status } = spawnSync('npm', ['run', '--silent', 'tour'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) writeFileSync(FILE, terminal(stdout.trimEnd().split('\n')));
  else process.exitCode = 1;
}
