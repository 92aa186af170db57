import { useRef, type KeyboardEvent, type ReactNode } from 'react';

import { Claim } from './found.tsx';

export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ReactNode;
  /** On a phone, where a row is a card, a number and a time have the name of the column before them. */
  readonly kind?: 'num' | 'tight' | 'time';
  /** In place of the name in the heading: a box that selects all, for example. */
  readonly head?: ReactNode;
}

interface TableProps<T> {
  /** Description for people who cannot see the table. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Opens a row: by Enter, and by a click beside its links and buttons. */
  readonly onOpen?: (row: T) => void;
  readonly openKey?: string | undefined;
  /** The keys of rows that have just come: they are highlighted for a moment. */
  readonly arrived?: ReadonlySet<string>;
}

const STEP: Readonly<Record<string, 1 | -1>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, select, label') !== null;

const classOf = (kind: Column<never>['kind']): string | undefined => (kind === 'time' ? 'tight' : kind);

/** A cell without a value. On a phone it is left out. */
export const None = () => <span className="mute none">–</span>;

/** Rows under headings. `j` and `k` move between rows; shell/keyboard.ts moves the focus into it. */
export const Table = <T,>({ label, columns, rows, keyOf, onOpen, openKey, arrived }: TableProps<T>) => {
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (event: KeyboardEvent<HTMLTableRowElement>, index: number, row: T): void => {
    const step = STEP[event.key];
    if (step !== undefined && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      event.stopPropagation();
      (body.current?.rows[index + step] as HTMLElement | undefined)?.focus();
    } else if (event.key === 'Enter' && event.target === event.currentTarget) {
      // Otherwise the button that gets the focus in what opens would be pressed.
      event.preventDefault();
      onOpen?.(row);
    }
  };
  return (
    // A wide table scrolls by itself, also by the keyboard.
    <div className="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, kind, head }) => (
              <th key={name} scope="col" className={classOf(kind)}>
                {head ?? (name === '' ? <span className="visually-hidden">Actions</span> : name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row)}
              data-row
              className={arrived?.has(keyOf(row)) === true ? 'arrived' : undefined}
              tabIndex={onOpen ? -1 : undefined}
              aria-selected={onOpen && keyOf(row) === openKey ? true : undefined}
              style={onOpen && { cursor: 'pointer' }}
              onKeyDown={(event) => move(event, index, row)}
              onClick={(event) => {
                if (!isControl(event.target) && getSelection()?.isCollapsed !== false) onOpen?.(row);
              }}
            >
              {columns.map(({ name, cell, kind }) => (
                <td key={name} className={classOf(kind)} data-name={kind === 'num' || kind === 'time' ? name : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface PagerProps {
  readonly shown: ReactNode;
  /** Null on the first page. */
  readonly onFirst: (() => void) | null;
  /** Null on the last page. */
  readonly onNext: (() => void) | null;
  readonly next?: string;
  readonly first?: string;
}

/** Below a list that comes in pages. The browser's own back button leads to the page before. */
export const Pager = ({ shown, onFirst, onNext, next = 'Older', first = 'Newest' }: PagerProps) => (
  <nav className="pager" aria-label="Pages">
    <span>
      <Claim former={null}>{shown}</Claim>
    </span>
    <span className="spread">
      <button type="button" className="button small" disabled={onFirst === null} onClick={onFirst ?? undefined}>
        {first}
      </button>
      <button type="button" className="button small" disabled={onNext === null} onClick={onNext ?? undefined}>
        {next}
      </button>
    </span>
  </nav>
);
