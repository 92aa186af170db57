import { useEffect, useState } from 'react';

import { Check, Copy } from '../icons/index.ts';
import { useToast } from './toast.tsx';

const SHOWN_MS = 1_500;

/** Copies the text; `copied` is true for a moment after. */
export const useCopy = (text: string): { readonly copied: boolean; readonly copy: () => void } => {
  const [copied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast('bad', 'Your browser does not allow copying. Select the text and copy it yourself.'),
    );
  };
  return { copied, copy };
};

/** A button that copies the text. `what` names it: `Copy the client id`. */
export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const { copied, copy } = useCopy(text);
  return (
    <button type="button" className="icon-button copy" onClick={copy} aria-label={copied ? 'Copied' : `Copy ${what}`}>
      {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
    </button>
  );
};

/** An id. A click copies it; `short` shows its end, by which time-ordered ids differ. */
export const Id = ({ value, short = false }: { readonly value: string; readonly short?: boolean }) => {
  const { copied, copy } = useCopy(value);
  const isCut = short && value.length > 14;
  const shown = isCut ? `…${value.slice(-12)}` : value;
  return (
    <button
      type="button"
      className={`id${isCut ? ' cut' : ''}${copied ? ' copied' : ''}`}
      onClick={copy}
      title={value}
      aria-label={`Copy ${shown}`}
    >
      <span>{shown}</span>
      {copied ? <Check size={12} aria-hidden /> : <Copy size={12} aria-hidden />}
    </button>
  );
};
