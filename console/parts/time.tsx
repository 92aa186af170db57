import { useSyncExternalStore } from 'react';

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

const localText = (at: Date, now: Date): string => {
  if (at.toDateString() === now.toDateString()) return time.format(at);
  const day = at.getFullYear() === now.getFullYear() ? date : year;
  return `${day.format(at)}, ${time.format(at)}`;
};

const TITLE = 'UTC: ';

/** A time in the reader's zone. Its UTC is shown on hover. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={TITLE + at} className="num">
    {localText(new Date(at), new Date())}
  </time>
);

const ticks = new Set<() => void>();
let timer: number | undefined;
let second = Math.floor(Date.now() / 1000);
const subscribe = (tick: () => void): (() => void) => {
  ticks.add(tick);
  timer ??= window.setInterval(() => {
    second = Math.floor(Date.now() / 1000);
    for (const each of ticks) each();
  }, 1_000);
  return () => {
    ticks.delete(tick);
    if (ticks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The present second since the epoch. What uses it is drawn again every second. */
export const useSecond = (): number => useSyncExternalStore(subscribe, () => second);

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Seconds as their two largest units: `2 h 5 min`. */
export const spanText = (seconds: number): string => {
  const whole = Math.max(Math.round(seconds), 0);
  const first = UNITS.findIndex(([length]) => whole >= length);
  if (first < 0) return '0 s';
  const [[length, unit], next] = [UNITS[first] ?? UNITS[3], UNITS[first + 1]];
  const rest = next ? Math.floor((whole % length) / next[0]) : 0;
  const head = `${Math.floor(whole / length)} ${unit}`;
  return next && rest > 0 ? `${head} ${rest} ${next[1]}` : head;
};

/** `5 min ago` or `in 5 min`, kept up to date. */
export const Ago = ({ at }: { readonly at: string }) => {
  const away = Date.parse(at) / 1000 - useSecond();
  const text = away > 0 ? `in ${spanText(away)}` : away > -5 ? 'just now' : `${spanText(-away)} ago`;
  return (
    <time dateTime={at} title={`${localText(new Date(at), new Date())}\n${TITLE}${at}`} className="num">
      {text}
    </time>
  );
};
