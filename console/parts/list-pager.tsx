import { ofTotal } from './plural.ts';
import { Pager } from './table.tsx';

interface PagerProps {
  readonly items: readonly unknown[];
  readonly total: number;
  /** A list item, in the singular. */
  readonly one: string;
  /** The page that is shown begins behind this. Undefined on the first. */
  readonly after: string | undefined;
  /** Null on the last page. */
  readonly next: string | null;
  readonly onPage: (after: string | undefined) => void;
}

/** Below a list that says how many it has in all. */
export const ListPager = ({ items, total, one, after, next, onPage }: PagerProps) => (
  <Pager
    shown={ofTotal(items, total, one)}
    first="First"
    next="Next"
    onFirst={after === undefined ? null : () => onPage(undefined)}
    onNext={next === null ? null : () => onPage(next)}
  />
);
