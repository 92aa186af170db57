import { api } from '../../api/client.ts';
import type { AppConsoleLink } from '../../api/types.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Countdown } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';

interface LinkProps {
  /** Path of the app in the API. */
  readonly path: string;
  /** Pages that the developer sees with it. */
  readonly about: string;
  readonly onClose: () => void;
}

/** Makes a link by which a developer of the app signs in to its console, once. */
export const SignInLink = ({ path, about, onClose }: LinkProps) => {
  const make = useAction({ act: () => api.post<AppConsoleLink>(`${path}/console-codes`), changes: [] });
  const link = make.data;
  if (!link) {
    return (
      <FormDialog
        title="Create a sign-in link"
        action="Create the link"
        isBusy={make.isPending}
        error={make.error}
        onSubmit={() => make.mutate()}
        onClose={onClose}
      >
        <p>With the link, a developer {about}, and nothing of yours. The link works once and for 10 minutes.</p>
      </FormDialog>
    );
  }
  return (
    <Dialog
      title="Sign-in link"
      onClose={onClose}
      foot={
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <p>
        Give it to the developer. It ends in{' '}
        <strong>
          <Countdown to={link.expiresAt} done="a moment" />
        </strong>
        , or when it was used.
      </p>
      <div className="secret">
        <code>{link.url}</code>
        <CopyButton text={link.url} what="the link" />
      </div>
    </Dialog>
  );
};
