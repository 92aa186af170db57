import type { ReactNode } from 'react';

import { isAboutFields } from '../api/problem.ts';
import { Dialog } from './dialog.tsx';
import { Failure } from './notice.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** Text of the button: `Create the store`. */
  readonly action: string;
  /** Text of the button that closes without a change. */
  readonly cancel?: string;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  /** True when the action removes something. */
  readonly isDanger?: boolean;
  /** Refusal of the server. Faults of `fields` are shown beside them. */
  readonly error?: unknown;
  readonly fields?: readonly string[];
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that asks for something: Enter in a field sends it. */
export const FormDialog = (props: FormDialogProps) => {
  const {
    title,
    action,
    cancel = 'Cancel',
    isBusy,
    isDisabled = false,
    isDanger = false,
    error,
    fields = [],
    onSubmit,
    onClose,
    children,
  } = props;
  return (
    <Dialog title={title} isHeld={isBusy} onClose={onClose}>
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !isDisabled) onSubmit();
        }}
      >
        {children}
        {Boolean(error) && !isAboutFields(error, fields) && <Failure error={error} />}
        <div className="form-foot">
          <button type="button" className="button" disabled={isBusy} onClick={onClose}>
            {cancel}
          </button>
          <button type="submit" className={`button ${isDanger ? 'danger' : 'primary'}`} disabled={isBusy || isDisabled}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
