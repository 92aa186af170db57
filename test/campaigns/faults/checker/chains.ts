import type { ProductRow } from '../history.ts';
import { groupBy, type Execution } from './events.ts';
import { violation, type Violation } from './violation.ts';

const START = '';
const nameOf = (mark: string | null): string => mark ?? START;

const checkChain = ({ id, metaTitle }: ProductRow, executions: readonly Execution[]): Violation[] => {
  const next = groupBy(executions, ({ previous }) => nameOf(previous));
  const forks = [...next].filter(([, list]) => list.length > 1);
  if (forks.length > 0) return forks.map(([mark]) => violation('executed twice', id, `two changes begin at ${mark}`));
  let at = START;
  let walked = 0;
  for (let step = next.get(at)?.[0]; step && walked <= executions.length; step = next.get(at)?.[0]) {
    at = step.mark;
    walked += 1;
  }
  if (walked < executions.length) {
    return [
      violation(
        'event lost',
        id,
        `the events have ${String(executions.length)} changes, but only ${String(walked)} form a chain; no event follows ${at}`,
      ),
    ];
  }
  return at === nameOf(metaTitle)
    ? []
    : [violation('event lost', id, `the product says ${String(metaTitle)}, its last event ${at}`)];
};

/**
 * Every event of a bulk update tells what was before and after, and no two set the same: those of a
 * product form one chain from nothing to what it says now. A change without its event, an event
 * without its change and a change that was made twice each break it.
 */
export const checkChains = (products: readonly ProductRow[], executions: readonly Execution[]): Violation[] => {
  const byProduct = groupBy(executions, ({ productId }) => productId);
  return products.flatMap((product) => checkChain(product, byProduct.get(product.id) ?? []));
};
