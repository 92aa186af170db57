import { CircleAlert, CircleCheck } from 'lucide-react';
import { createContext, use, useCallback, useState, type ReactNode } from 'react';

interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: string;
}

type Say = (tone: Toast['tone'], text: string) => void;

const SHOWN_MS = { ok: 5_000, bad: 12_000 } as const;
const Context = createContext<Say>(() => undefined);

/** Tells the reader in a corner what an action did. */
export const useToast = (): Say => use(Context);

let latest = 0;

export const Toasts = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const say = useCallback<Say>((tone, text) => {
    const id = (latest += 1);
    setToasts((all) => [...all.slice(-2), { id, tone, text }]);
    setTimeout(() => setToasts((all) => all.filter((toast) => toast.id !== id)), SHOWN_MS[tone]);
  }, []);
  return (
    <Context value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, tone, text }) => (
          <div key={id} className={`toast ${tone}`}>
            {tone === 'ok' ? <CircleCheck size={17} aria-hidden /> : <CircleAlert size={17} aria-hidden />}
            {text}
          </div>
        ))}
      </div>
    </Context>
  );
};
