import { isPortal } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';

const KEYS = [
  ['/', isPortal ? 'Search by a URL, a key or any id' : 'Search by a name, a URL, a SKU or any id'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row of a list'],
  ['Enter', 'Open the row'],
  ['r', 'Reload the page'],
  ['Esc', 'Close the open dialog or drawer'],
  ['?', 'Show keyboard shortcuts'],
] as const;

export const KeysHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard" onClose={onClose}>
    <dl className="facts">
      {KEYS.map(([key, meaning]) => (
        <div key={key} style={{ display: 'contents' }}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
