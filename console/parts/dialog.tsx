import { X } from '../icons/index.ts';
import { ToastRegion } from './toast.tsx';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

interface DialogProps {
  readonly title: ReactNode;
  /** `drawer`: at the right side, for the detail of a list's item. */
  readonly kind?: 'dialog' | 'drawer';
  /** Keeps the dialog open: its result may be visible nowhere else. */
  readonly isHeld?: boolean;
  readonly onClose: () => void;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** A native modal dialog: Escape and the button close it, and focus returns to where it was. */
export const Dialog = ({ title, kind = 'dialog', isHeld = false, onClose, foot, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = (): void => {
    if (!isHeld) onClose();
  };
  // A layout effect ends while the element is still in the document: only then does its close give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={kind}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        // Chromium lets the second Escape close a dialog, also where its first `cancel` was prevented.
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onCancel={(event) => {
        // Follows the back gesture of a phone.
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        // The backdrop is the dialog itself to the browser.
        if (event.target === dialog.current && kind === 'drawer') close();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId} className="grow">
          {title}
        </h2>
        <button type="button" className="icon-button" disabled={isHeld} onClick={close} aria-label="Close">
          <X size={18} aria-hidden />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      {foot !== undefined && <div className="dialog-foot">{foot}</div>}
      <ToastRegion dialog={titleId} />
    </dialog>
  );
};
