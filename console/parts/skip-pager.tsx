import { Pager } from './table.tsx';

interface SkipPagerProps {
  /** Rows before the page, on it, on a full page, and in all. */
  readonly skip: number;
  readonly shown: number;
  readonly take: number;
  readonly total: number;
  readonly onSkip: (skip: string | undefined) => void;
}

/** Leads through a list by the number of rows before the page. */
export const SkipPager = ({ skip, shown, take, total, onSkip }: SkipPagerProps) => {
  const last = skip + shown;
  return (
    <Pager
      shown={
        shown === 0
          ? `${total.toLocaleString()} in all`
          : `${(skip + 1).toLocaleString()} to ${last.toLocaleString()} of ${total.toLocaleString()}`
      }
      first="Previous"
      next="Next"
      onFirst={skip === 0 ? null : () => onSkip(skip > take ? String(skip - take) : undefined)}
      onNext={last >= total ? null : () => onSkip(String(skip + take))}
    />
  );
};
