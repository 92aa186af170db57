import { Empty } from './empty.tsx';

interface NoMatchProps {
  /** A list item, in the singular. */
  readonly one: string;
  /** True when the whole list was looked at. */
  readonly isEnd: boolean;
}

/** In place of a filtered list. One page may have looked at a part of it. */
export const NoMatch = ({ one, isEnd }: NoMatchProps) =>
  isEnd ? (
    <Empty title={`No ${one} matches`}>Change or clear the filter.</Empty>
  ) : (
    <Empty title="No match so far">The list is long. Choose “Older” to look further back.</Empty>
  );
