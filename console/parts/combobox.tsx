import { useEffect, useId, useRef, type RefObject } from 'react';

import type { Choices, Option } from './choices.ts';
import { useCombobox } from './use-combobox.ts';

interface ListProps {
  readonly popup: RefObject<HTMLDivElement | null>;
  readonly anchor: string;
  readonly id: string;
  readonly label: string;
  readonly chosenId: string;
  readonly box: ReturnType<typeof useCombobox>;
}

const OptionList = ({ popup, anchor, id, label, chosenId, box: { options, active, status, choose } }: ListProps) => (
  <div
    ref={popup}
    popover="manual"
    className="menu options"
    style={{ positionAnchor: anchor }}
    // The focus stays in the field.
    onMouseDown={(event) => event.preventDefault()}
  >
    <ul id={`${id}-list`} role="listbox" aria-label={label}>
      {options.map((option, index) => (
        <li
          key={option.id}
          id={`${id}-${String(index)}`}
          role="option"
          aria-selected={option.id === chosenId}
          className={index === active ? 'active' : undefined}
          onClick={() => choose(option)}
        >
          <span className="clip">{option.name}</span>
          {option.note !== undefined && <span className="clip mute">{option.note}</span>}
        </li>
      ))}
    </ul>
    <p className="mute" role="status">
      {status}
    </p>
  </div>
);

/** Shows the list while it is open, with its active option in sight. */
const usePopup = (id: string, { isOpen, active }: ReturnType<typeof useCombobox>) => {
  const popup = useRef<HTMLDivElement>(null);
  const activeId = isOpen && active >= 0 ? `${id}-${String(active)}` : undefined;
  useEffect(() => {
    if (isOpen) popup.current?.showPopover();
    else popup.current?.hidePopover();
    const field = document.getElementById(id);
    // Typed text replaces the selection.
    if (!isOpen && field instanceof HTMLInputElement && field === document.activeElement) field.select();
  }, [id, isOpen]);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return { popup, activeId };
};

interface ComboboxProps {
  readonly label: string;
  /** False hides the label from all but screen readers. */
  readonly isLabelShown?: boolean;
  readonly choices: Choices;
  readonly chosen: Option | undefined;
  /** Name of the empty choice. Null where a choice is required. */
  readonly none?: string | null;
  /** Options that are always there, before those that are found. */
  readonly fixed?: readonly Option[];
  readonly onChange: (id: string | undefined) => void;
}

const NOTHING: Option = { id: '', name: '' };

/**
 * Chooses from any number of options, which the server finds by a text: the combobox with a listbox
 * of WAI-ARIA.
 */
export const Combobox = ({
  label,
  isLabelShown = false,
  choices,
  chosen = NOTHING,
  none = null,
  fixed = [],
  onChange,
}: ComboboxProps) => {
  const id = useId();
  const anchor = `--combobox${id.replaceAll(/[^\w-]/g, '')}`;
  const always = none === null ? fixed : [{ id: '', name: none }, ...fixed];
  const box = useCombobox({ choices, always, onChange });
  const { popup, activeId } = usePopup(id, box);
  return (
    <div className={isLabelShown ? 'field combobox' : 'combobox'} onBlur={box.close}>
      {isLabelShown && <label htmlFor={id}>{label}</label>}
      <input
        id={id}
        className="input"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={box.isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        style={{ anchorName: anchor }}
        value={box.isOpen ? box.text : chosen.name}
        placeholder={chosen.name || (none ?? '')}
        title={chosen.name}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        onFocus={({ target }) => target.select()}
        onClick={box.open}
        onChange={({ target }) => box.type(target.value)}
        onKeyDown={box.onKeyDown}
      />
      <OptionList popup={popup} anchor={anchor} id={id} label={label} chosenId={chosen.id} box={box} />
    </div>
  );
};
