import { canonical, digestOf } from './canonical.ts';
import type { Answer } from './client.ts';
import type { StoreRecord } from './record.ts';
import { namedStores, type App } from './shop.ts';
import { MISSING, type Content, type Moment } from './timeline.ts';

/** The promises, by the names under which a violation is reported. */
export const RULES = {
  crossed: 'No answer shows what another store contains, not even one with the same ids and revisions.',
  stale: 'No answer shows what was replaced before its request began.',
  wrong: 'Every answer shows what the rows contained at some moment while it was in progress.',
  unchanged: 'An answer 304 is given only for a tag of such a content.',
  tag: 'Two answers with the same tag have the same bytes.',
  bytes: 'Two answers with the same content have the same bytes, on every node.',
  uninstalled: 'An app gets 401 from the moment when its uninstallation was answered, and not before it was sent.',
  unexpected: 'Every other answer has a documented status.',
} as const;
export type Rule = keyof typeof RULES;

export interface Violation {
  readonly rule: Rule;
  readonly what: string;
}

export interface Read {
  readonly record: StoreRecord;
  readonly app: App;
  readonly path: string;
  /** The tag of If-None-Match, or null. */
  readonly tag: string | null;
  readonly beganAt: Moment;
  readonly endedAt: Moment;
  readonly answer: Answer;
}

const SHOWN = 5;

/** Compares answers with what the rows contained. */
export class Judge {
  /** The first of each rule, to find their cause. */
  readonly violations: Violation[] = [];
  /** How often each rule was broken. */
  readonly broken = new Map<Rule, number>();
  judged = 0;
  overlapping = 0;
  /** By their status, as `200`. */
  readonly statuses = new Map<string, number>();
  /** The content of each body, so that each is parsed once. */
  readonly #contents = new Map<string, Content>();
  /** The stores that each body names. */
  readonly #named = new Map<string, ReadonlySet<string>>();
  readonly #bodies = new Map<Content, string>();
  readonly #tagged = new Map<string, string>();

  judge(read: Read): void {
    const { record, beganAt } = read;
    if (record.overlaps(beganAt)) this.overlapping += 1;
    const status = String(read.answer.status);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const admitted = this.#judgeAdmission(read);
    const content = admitted ? this.#contentOf(read) : null;
    // The body is not needed any more, and the record may know more later.
    if (content === null) this.judged += 1;
    else
      record.whenRecorded(() => {
        this.judged += 1;
        this.#judgeContent(read, content);
      });
  }

  /** Returns true when the answer shows a page. */
  #judgeAdmission(read: Read): boolean {
    const { app, beganAt, endedAt, answer } = read;
    if (answer.status === 401) {
      if (app.removalSentAt > endedAt) this.#violate('uninstalled', read, 'refused before the uninstallation was sent');
      return false;
    }
    if (app.removedAt < beganAt)
      this.#violate('uninstalled', read, `answered ${answer.status} after the uninstallation was answered`);
    if (answer.status === 200 || answer.status === 304 || answer.status === 404) return true;
    this.#violate('unexpected', read, answer.body.toString().slice(0, 200));
    return false;
  }

  #contentOf(read: Read): Content | null {
    const { status, etag, body } = read.answer;
    if (status === 404) return MISSING;
    if (status === 304) return this.#contentOfTag(read);
    const bytes = digestOf(body);
    const content = this.#contents.get(bytes) ?? digestOf(canonical(JSON.parse(body.toString())));
    this.#contents.set(bytes, content);
    if (!this.#named.has(bytes)) this.#named.set(bytes, namedStores(body.toString()));
    if (this.#isForeign(read, bytes)) return null;
    if (etag !== null) this.#same('tag', this.#tagged, etag, bytes, read);
    this.#same('bytes', this.#bodies, content, bytes, read);
    return content;
  }

  #contentOfTag(read: Read): Content | null {
    const { etag } = read.answer;
    const bytes = this.#tagged.get(read.tag ?? '') ?? '';
    if (etag !== read.tag) this.#violate('unchanged', read, `the tag is ${String(etag)} for ${String(read.tag)}`);
    return this.#isForeign(read, bytes) ? null : (this.#contents.get(bytes) ?? null);
  }

  /** Returns true when the body with this digest shows content of another store. */
  #isForeign(read: Read, bytes: string): boolean {
    const others = [...(this.#named.get(bytes) ?? [])].filter((domain) => domain !== read.record.shop.domain);
    if (others.length > 0) this.#violate('crossed', read, `it is of ${others.join()}`);
    return others.length > 0;
  }

  #same(rule: Rule, known: Map<string, string>, name: string, bytes: string, read: Read): void {
    const first = known.get(name);
    if (first === undefined) known.set(name, bytes);
    else if (first !== bytes) this.#violate(rule, read, `${name} was ${first} and is ${bytes}`);
  }

  #judgeContent(read: Read, content: Content): void {
    const timeline = read.record.timeline(read.path);
    if (timeline.shows(content, read.beganAt, read.endedAt)) return;
    if (read.answer.status === 304) this.#violate('unchanged', read, `of the content ${content}`);
    else this.#violate(timeline.had(content) ? 'stale' : 'wrong', read, `the content is ${content}`);
  }

  #violate(rule: Rule, { record, path, answer, beganAt, endedAt }: Read, what: string): void {
    const count = (this.broken.get(rule) ?? 0) + 1;
    this.broken.set(rule, count);
    if (count > SHOWN) return;
    this.violations.push({
      rule,
      what: `${record.shop.domain}${path}, ${answer.status}, ${beganAt.toFixed(1)} to ${endedAt.toFixed(1)} ms: ${what}`,
    });
  }
}
