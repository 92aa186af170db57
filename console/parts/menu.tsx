import { useId, useRef, type ReactNode } from 'react';

interface MenuProps {
  readonly label: ReactNode;
  readonly className?: string;
  /** Name of the button for screen readers, where its label is only an icon. */
  readonly name?: string;
  readonly children: ReactNode;
}

/** A button that opens a list of actions: a native popover. An action closes it. */
export const Menu = ({ label, name, className = 'button', children }: MenuProps) => {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const anchor = `--menu${id.replaceAll(/[^\w-]/g, '')}`;
  return (
    <>
      <button type="button" className={className} popoverTarget={id} aria-label={name} style={{ anchorName: anchor }}>
        {label}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu"
        style={{ positionAnchor: anchor }}
        onClick={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
};
