/** A moment of the one clock of this process. */
export type Moment = number;

/** Content of a page, or its absence. */
export type Content = string;
export const MISSING: Content = 'missing';

interface Version {
  readonly content: Content;
  /** The write that made it was sent then. Before it, nobody can have seen it. */
  readonly since: Moment;
  /** The write that replaced it was answered then. A read that begins later must not show it. */
  until: Moment;
}

/** No read takes longer. */
const KEPT_MS = 60_000;

/** The contents of one page, in the order of the writes that made them. */
export class Timeline {
  readonly #versions: Version[] = [];

  /** The page has this content by a write that was sent and answered then. */
  add(content: Content, sentAt: Moment, answeredAt: Moment): void {
    const last = this.#versions.at(-1);
    if (last?.content === content) return;
    if (last) last.until = answeredAt;
    this.#versions.push({ content, since: last ? sentAt : -Infinity, until: Infinity });
    while ((this.#versions[0]?.until ?? Infinity) < answeredAt - KEPT_MS) this.#versions.shift();
  }

  /** True when a snapshot between the two moments shows this content. */
  shows(content: Content, beganAt: Moment, endedAt: Moment): boolean {
    return this.#versions.some((version) => version.content === content && version.since <= endedAt && version.until >= beganAt);
  }

  /** True when the content was right once: it is stale then, and not another one. */
  had(content: Content): boolean {
    return this.#versions.some((version) => version.content === content);
  }
}
