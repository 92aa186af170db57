import { createContext, use, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';

import { CircleAlert, CircleCheck } from '../icons/index.ts';

interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: string;
}

type Say = (tone: Toast['tone'], text: string) => void;

interface Shown {
  readonly toasts: readonly Toast[];
  /** The dialog on top, where there is one: what is outside of it is not read to anybody. */
  readonly top: string | null;
  readonly enter: (dialog: string) => () => void;
}

const SHOWN_MS = { ok: 5_000, bad: 12_000 } as const;
const SayContext = createContext<Say>(() => undefined);
const ShownContext = createContext<Shown>({ toasts: [], top: null, enter: () => () => undefined });

/** Tells the reader in a corner what an action did. */
export const useToast = (): Say => use(SayContext);

let latest = 0;

interface RegionProps {
  /** The dialog that it is in. */
  readonly dialog?: string;
}

/** Where what was said appears: above everything, in the dialog that is on top. */
export const ToastRegion = ({ dialog }: RegionProps) => {
  const { toasts, top, enter } = use(ShownContext);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => (dialog === undefined ? undefined : enter(dialog)), [dialog, enter]);
  const shown = top === (dialog ?? null) ? toasts : [];
  const isShown = shown.length > 0;
  useLayoutEffect(() => {
    const element = region.current;
    if (!isShown || !element) return undefined;
    element.showPopover();
    return () => element.hidePopover();
  }, [isShown]);
  return (
    <div ref={region} popover="manual" className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={`toast ${tone}`}>
          {tone === 'ok' ? <CircleCheck size={17} aria-hidden /> : <CircleAlert size={17} aria-hidden />}
          {text}
        </div>
      ))}
    </div>
  );
};

export const Toasts = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const [dialogs, setDialogs] = useState<readonly string[]>([]);
  const say = useCallback<Say>((tone, text) => {
    const id = (latest += 1);
    setToasts((all) => [...all.slice(-2), { id, tone, text }]);
    setTimeout(() => setToasts((all) => all.filter((toast) => toast.id !== id)), SHOWN_MS[tone]);
  }, []);
  const enter = useCallback((dialog: string) => {
    setDialogs((open) => [...open, dialog]);
    return () => setDialogs((open) => open.filter((other) => other !== dialog));
  }, []);
  const shown = useMemo(() => ({ toasts, top: dialogs.at(-1) ?? null, enter }), [toasts, dialogs, enter]);
  return (
    <SayContext value={say}>
      <ShownContext value={shown}>
        {children}
        <ToastRegion />
      </ShownContext>
    </SayContext>
  );
};
