import { useSyncExternalStore } from 'react';

import { agoText, dueText, year } from './time-words.ts';

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

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
  if (timer === undefined) {
    // Nobody has kept the second since the timer stopped.
    second = Math.floor(Date.now() / 1000);
    timer = window.setInterval(() => {
      second = Math.floor(Date.now() / 1000);
      for (const each of ticks) each();
    }, 1_000);
  }
  return () => {
    ticks.delete(tick);
    if (ticks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The present second since the epoch. What uses it is drawn again every second. */
export const useSecond = (): number => useSyncExternalStore(subscribe, () => second);

interface KeptTimeProps {
  readonly at: string;
  readonly words: (at: string, away: number) => string;
}

/** Kept up to date: drawn again when its words change. */
const KeptTime = ({ at, words }: KeptTimeProps) => {
  const text = useSyncExternalStore(subscribe, () => words(at, Date.parse(at) / 1000 - second));
  return (
    <time dateTime={at} title={`${localText(new Date(at), new Date())}\n${TITLE}${at}`} className="num">
      {text}
    </time>
  );
};

/** `5 min ago` or `in 5 min`. */
export const Ago = ({ at }: { readonly at: string }) => <KeptTime at={at} words={agoText} />;

/** `in 5 min`, `due now` or `overdue by 5 min`. */
export const Due = ({ at }: { readonly at: string }) => <KeptTime at={at} words={dueText} />;

const two = (value: number): string => String(value).padStart(2, '0');

/** Seconds as a clock: `59:04`, `23:59:04`, `6 d 23:59:04`. */
const clockText = (seconds: number): string => {
  const whole = Math.max(Math.ceil(seconds), 0);
  const [days, hours] = [Math.floor(whole / 86_400), Math.floor((whole % 86_400) / 3_600)];
  const rest = `${two(Math.floor((whole % 3_600) / 60))}:${two(whole % 60)}`;
  if (days > 0) return `${days} d ${two(hours)}:${rest}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
};

interface CountdownProps {
  readonly to: string;
  /** In place of the clock when the time has come. */
  readonly done?: string;
}

/** The time that remains until then, second by second. */
export const Countdown = ({ to, done = 'now' }: CountdownProps) => {
  const away = Date.parse(to) / 1000 - useSecond();
  return (
    <time dateTime={to} title={`${localText(new Date(to), new Date())}\n${TITLE}${to}`} className="num">
      {away > 0 ? clockText(away) : done}
    </time>
  );
};
