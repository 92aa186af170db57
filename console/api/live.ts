import { useEffect, useEffectEvent, useState } from 'react';

import { API, isPortal } from './client.ts';
import type { LiveFrame } from './types.ts';

type Frames = readonly LiveFrame[];
type Listener = (frames: Frames) => void;
export type LiveState = 'connecting' | 'open' | 'lost';

const KINDS = ['event', 'attempt', 'refusal', 'import', 'dropped'] as const;
/** Frames are handed out this often at most: a page is drawn, not a frame. */
const EVERY_MS = 250;
/** Frames kept for a page that does not draw. Older ones are counted as dropped. */
const MOST_WAITING = 2_000;

/** Something may have happened that no frame tells. */
const MISSED: LiveFrame = { kind: 'dropped', count: 0 };

/** A stream for a store, shared by all listeners. A browser has six connections for an origin. */
class LiveStream {
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<(state: LiveState) => void>();
  #source: EventSource | null = null;
  #waiting: LiveFrame[] = [];
  #dropped = 0;
  #wasOpen = false;
  #timer: number | undefined;
  #state: LiveState = 'connecting';

  constructor(readonly storeId: string) {
    document.addEventListener('visibilitychange', () => this.#adjust());
  }

  listen(listener: Listener, watcher: (state: LiveState) => void): () => void {
    this.#listeners.add(listener);
    this.#watchers.add(watcher);
    watcher(this.#state);
    this.#adjust();
    return () => {
      this.#listeners.delete(listener);
      this.#watchers.delete(watcher);
      this.#adjust();
    };
  }

  /** A page that nobody sees does not hold a connection. */
  #adjust(): void {
    const wanted = this.#listeners.size > 0 && document.visibilityState === 'visible';
    if (wanted && this.#source === null) this.#open();
    if (!wanted && this.#source !== null) {
      this.#source.close();
      this.#source = null;
      this.#tell('connecting');
    }
  }

  #open(): void {
    const source = new EventSource(`${API}/stores/${this.storeId}/live`);
    this.#source = source;
    source.onopen = () => {
      // Frames of the time without a connection are missing.
      if (this.#wasOpen) this.#take(MISSED);
      this.#wasOpen = true;
      this.#tell('open');
    };
    source.onerror = () => {
      this.#tell('lost');
      // A refused stream is not tried again by the browser.
      if (source.readyState === EventSource.CLOSED && this.#source === source) {
        this.#source = null;
        setTimeout(() => this.#adjust(), 3_000);
      }
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, (message) => this.#take(JSON.parse(message.data as string) as LiveFrame));
    }
  }

  #tell(state: LiveState): void {
    this.#state = state;
    for (const watcher of this.#watchers) watcher(state);
  }

  #take(frame: LiveFrame): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(frame);
    else this.#dropped += 1;
    this.#timer ??= window.setTimeout(() => this.#hand(), EVERY_MS);
  }

  #hand(): void {
    this.#timer = undefined;
    const frames = this.#waiting;
    if (this.#dropped > 0) frames.push({ kind: 'dropped', count: this.#dropped });
    this.#waiting = [];
    this.#dropped = 0;
    for (const listener of this.#listeners) listener(frames);
  }
}

const streams = new Map<string, LiveStream>();
const streamOf = (storeId: string): LiveStream => {
  const known = streams.get(storeId) ?? new LiveStream(storeId);
  streams.set(storeId, known);
  return known;
};

/** An app's console has no stream: its pages read again this often, as if they had missed something. */
const POLL_MS = 5_000;

const listenByTime = (listener: Listener, watcher: (state: LiveState) => void): (() => void) => {
  watcher('open');
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') listener([MISSED]);
  }, POLL_MS);
  return () => clearInterval(timer);
};

/**
 * Hands over what happens in the store, gathered for a quarter of a second, while `isOn`. Gives
 * whether the stream is open.
 */
export const useLive = (storeId: string, onFrames: Listener, isOn = true): LiveState => {
  const [state, setState] = useState<LiveState>('connecting');
  const handle = useEffectEvent(onFrames);
  useEffect(() => {
    if (!isOn) return undefined;
    const listener: Listener = (frames) => handle(frames);
    return isPortal ? listenByTime(listener, setState) : streamOf(storeId).listen(listener, setState);
  }, [storeId, isOn]);
  return state;
};
