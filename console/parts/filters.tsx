import { SlidersHorizontal, X } from '../icons/index.ts';
import { useId, type ReactNode } from 'react';

interface FiltersProps {
  /** Visible controls: a text to find, for example. */
  readonly first?: ReactNode;
  /** Values chosen in `children`. */
  readonly chosen: readonly unknown[];
  /** Null while nothing is filtered. */
  readonly onClear: (() => void) | null;
  readonly children: ReactNode;
}

/** By what a list is filtered: a row above it, or on a phone a sheet, a native popover, so that the list begins at once. */
export const Filters = ({ first, chosen, onClear, children }: FiltersProps) => {
  const id = useId();
  const count = chosen.filter((value) => value !== undefined).length;
  return (
    <div className="row">
      {first}
      <button type="button" className="button opens-sheet" popoverTarget={id}>
        <SlidersHorizontal size={15} aria-hidden /> Filters{count > 0 && ` (${count})`}
      </button>
      <div id={id} popover="auto" className="sheet" role="group" aria-label="Filters">
        {children}
        <button type="button" className="button opens-sheet" popoverTarget={id} popoverTargetAction="hide">
          Show the list
        </button>
      </div>
      {onClear !== null && (
        <button type="button" className="button quiet small" onClick={onClear}>
          <X size={14} aria-hidden /> Clear
        </button>
      )}
    </div>
  );
};
