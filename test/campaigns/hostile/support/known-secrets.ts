import { createHash } from 'node:crypto';

/**
 * This many consecutive characters of a secret are a leak. Every secret has at least as many random
 * characters.
 */
const WINDOW = 16;
/** Runs of characters that could hold a secret, in any of the forms below. */
const RUNS = /[0-9A-Za-z+/=_.%-]{24,}/g;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Credentials that the service makes and shows once (docs/specification/credentials.md, "Formats"). */
const CREDENTIALS = /tnn_(?:cs|at)_[0-9A-Za-z]{49}|whsec_[0-9A-Za-z+/]{43}=/g;

/** The secret as it stands, encoded, and as it may be kept. */
const formsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const kept = createHash('sha256').update(secret).digest();
  return [
    secret,
    encodeURIComponent(secret),
    ...(['base64', 'base64url', 'hex'] as const).flatMap((encoding) => [bytes.toString(encoding), kept.toString(encoding)]),
  ];
};

/** Every secret of a run, to be looked for in all that the service says. */
export interface KnownSecrets {
  /** How many there are. */
  size(): number;
  remember(secret: string): void;
  /** The credentials in an answer that may show new ones. */
  rememberAll(text: string): void;
  /**
   * The first characters of each remembered secret that the text holds, whole or in part, plain,
   * encoded or hashed.
   */
  leaksIn(text: string): readonly string[];
}

export const createKnownSecrets = (): KnownSecrets => {
  const known = new Set<string>();
  const windows = new Map<string, string>();
  const remember = (secret: string): void => {
    if (known.has(secret)) return;
    known.add(secret);
    const name = `${secret.slice(0, 10)}...`;
    for (const form of formsOf(secret)) {
      for (let at = 0; at + WINDOW <= form.length; at += WINDOW) windows.set(form.slice(at, at + WINDOW), name);
    }
  };
  const search = (run: string, found: Set<string>): void => {
    for (let at = 0; at + WINDOW <= run.length; at += 1) {
      const name = windows.get(run.slice(at, at + WINDOW));
      if (name !== undefined) found.add(name);
    }
  };
  return {
    size: () => known.size,
    remember,
    rememberAll: (text) => {
      for (const [secret] of text.matchAll(CREDENTIALS)) remember(secret);
    },
    leaksIn: (text) => {
      const found = new Set<string>();
      for (const [run] of text.matchAll(RUNS)) if (!UUID.test(run)) search(run, found);
      return [...found];
    },
  };
};
