import type { Attempt, History, Rows } from '../history.ts';
import { groupBy } from './events.ts';
import { violation, type Violation } from './violation.ts';

const checkSlugs = ({ products }: Rows): Violation[] => {
  const named = products.filter(({ slug, isDeleted }) => slug !== null && !isDeleted);
  return [...groupBy(named, ({ storeId, slug }) => `${storeId}/${slug ?? ''}`)]
    .filter(([, holders]) => holders.length > 1)
    .map(([slug, holders]) => violation('slug twice', slug, holders.map(({ id }) => id).join(' and ')));
};

const checkFigures = ({ products, totals }: Rows): Violation[] => [
  ...products.flatMap(({ id, kept, counted }) =>
    Object.keys(counted)
      .filter((name) => kept[name] !== counted[name])
      .map((name) =>
        violation('figures differ', id, `${name} is kept as ${String(kept[name])} and counts ${String(counted[name])}`),
      ),
  ),
  ...totals
    .filter(({ shown, counted }) => shown !== counted)
    .map(({ name, shown, counted }) => violation('figures differ', name, `${String(shown)} is stored, ${String(counted)} exist`)),
];

/** Answers that no fault excuses: a bug's 500, and what a good client does not cause. Of 410 the walks are judged. */
const isExpected = (status: number): boolean => status < 300 || [401, 404, 409, 410, 422, 429, 503].includes(status);

const checkAnswers = ({ keys, media, stocks, writes, others }: History): Violation[] => {
  const attempts: (readonly [string, Attempt])[] = [
    ...[...keys, ...media, ...stocks].flatMap(({ key, attempts: list }) => list.map((one) => [key, one] as const)),
    ...writes.flatMap(({ ids, attempts: list }) => list.map((one) => [ids[0] ?? '', one] as const)),
    ...others.map(({ name, attempt }) => [name, attempt] as const),
  ];
  return attempts.flatMap(([about, { answer, node }]) =>
    answer && !isExpected(answer.status)
      ? [violation('not expected', about, `node ${String(node)} answered ${String(answer.status)} ${answer.body.slice(0, 200)}`)]
      : [],
  );
};

/** The slugs, the figures that the list keeps, and every answer's kind. */
export const checkRows = (history: History, rows: Rows): Violation[] => [
  ...checkSlugs(rows),
  ...checkFigures(rows),
  ...checkAnswers(history),
  ...history.collapses.map((what) => violation('not expected', 'process', what)),
  ...history.terminations
    .filter(({ code }) => code !== 0)
    .map(({ node, code }) => violation('answer lost by SIGTERM', `node ${String(node)}`, `it ended with ${String(code)}`)),
];
