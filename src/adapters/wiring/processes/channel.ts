export type Topics<T> = { readonly [Name in keyof T]: { readonly question: unknown; readonly answer: unknown } };

/** A message between two processes. Its parts are of one turn of the event loop. */
export interface Frame<News> {
  readonly news?: readonly News[];
  readonly ask?: number;
  readonly questions?: readonly (readonly [string, unknown])[];
  readonly answered?: number;
  readonly answers?: readonly unknown[];
}

export type Answering<T extends Topics<T>> = {
  readonly [Name in keyof T]: (question: T[Name]['question']) => Promise<T[Name]['answer']>;
};

export interface ChannelOptions<Theirs extends Topics<Theirs>, Sent> {
  /** Never throws. A frame to a process that has ended is lost. */
  send(frame: Frame<Sent>): void;
  readonly answering: Answering<Theirs>;
  /** For an answer, in milliseconds. */
  readonly patienceMs: number;
  /** Called when an answer could not be given. The other process then gets none. */
  readonly onError: (error: unknown) => void;
}

type Settle = (answer: unknown) => void;

/**
 * Questions, answers and news between two processes. All of one turn of the event loop leave in one
 * message, because a message costs more than its content.
 */
export class Channel<Ours extends Topics<Ours>, Theirs extends Topics<Theirs>, Sent, Heard> {
  readonly #options: ChannelOptions<Theirs, Sent>;
  readonly #open = new Map<number, { readonly settles: readonly Settle[]; readonly timer: NodeJS.Timeout }>();
  #asked: { readonly question: readonly [string, unknown]; readonly settle: Settle }[] = [];
  #news: Sent[] = [];
  #isPlanned = false;
  #frames = 0;

  constructor(
    options: ChannelOptions<Theirs, Sent>,
    private readonly onNews: (news: Heard) => void,
  ) {
    this.#options = options;
  }

  ask<Name extends keyof Ours & string>(
    topic: Name,
    question: Ours[Name]['question'],
  ): Promise<Ours[Name]['answer'] | undefined> {
    return new Promise((resolve) => {
      this.#asked.push({ question: [topic, question], settle: resolve });
      this.#plan();
    });
  }

  tell(news: Sent): void {
    this.#news.push(news);
    this.#plan();
  }

  receive({ news = [], ask, questions = [], answered, answers = [] }: Frame<Heard>): void {
    for (const one of news) this.onNews(one);
    if (ask !== undefined) void this.#answer(ask, questions);
    if (answered !== undefined) this.#settle(answered, answers);
  }

  end(): void {
    for (const frame of [...this.#open.keys()]) this.#settle(frame, []);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    const [asked, news] = [this.#asked, this.#news];
    [this.#asked, this.#news] = [[], []];
    if (asked.length === 0) {
      this.#options.send({ news });
      return;
    }
    const ask = (this.#frames += 1);
    const timer = setTimeout(() => {
      this.#settle(ask, []);
    }, this.#options.patienceMs);
    this.#open.set(ask, { settles: asked.map(({ settle }) => settle), timer });
    this.#options.send({ ask, questions: asked.map(({ question }) => question), ...(news.length > 0 && { news }) });
  }

  #settle(frame: number, answers: readonly unknown[]): void {
    const open = this.#open.get(frame);
    if (open === undefined) return;
    this.#open.delete(frame);
    clearTimeout(open.timer);
    for (const [at, settle] of open.settles.entries()) settle(answers[at] ?? undefined);
  }

  async #answer(ask: number, questions: readonly (readonly [string, unknown])[]): Promise<void> {
    const { answering, onError, send } = this.#options;
    const answers = questions.map(async ([topic, question]) => {
      try {
        return await answering[topic as keyof Theirs](question);
      } catch (error) {
        onError(error);
        return null;
      }
    });
    send({ answered: ask, answers: await Promise.all(answers) });
  }
}
