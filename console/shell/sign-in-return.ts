const NEXT = 'tenon-sign-in-next';

/**
 * Only a path of the console: a link must not lead elsewhere after the sign-in. Browsers read a backslash as a slash,
 * and leave out tabs and line breaks.
 */
export const isOwnPath = (path: string): boolean => /^\/(?!\/)[^\\\s\p{Cc}]*$/u.test(path);

/** The code of a one-time link, which is taken from the address at once: it must not stay in the history. */
const takeCode = (): string | null => {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
};

/** Takes the identity provider's answer out of the address. */
const takeAnswer = (): string | null => {
  const query = new URLSearchParams(location.search);
  if (!query.has('state') || !(query.has('code') || query.has('error'))) return null;
  history.replaceState(history.state, '', location.pathname);
  return query.toString();
};

let code = takeCode();
let answer = code === null ? takeAnswer() : null;

/** The code of the link by which the reader came, until it is forgotten. */
export const codeOfAddress = (): string | null => code;
export const forgetCode = (): void => {
  code = null;
};

/** Returns true if the reader came with the code of a link, or with the answer of the identity provider. */
export const hasProof = (): boolean => code !== null || answer !== null;

/** The answer of the identity provider in the address, once. */
export const answerOfAddress = (): string | null => {
  const taken = answer;
  answer = null;
  return taken;
};

/** Goes to the identity provider. `next` is remembered until the reader comes back. */
export const leaveFor = (url: string, next: string | undefined): void => {
  if (next === undefined) sessionStorage.removeItem(NEXT);
  else sessionStorage.setItem(NEXT, next);
  location.assign(url);
};

/** Where the reader wanted to go before leaving for the identity provider. */
export const nextOfLeaving = (): string | undefined => {
  const next = sessionStorage.getItem(NEXT);
  sessionStorage.removeItem(NEXT);
  return next !== null && isOwnPath(next) ? next : undefined;
};
