/** The first that is there names it: others say that they are Chrome or Safari as well. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const named = (agent: string, names: readonly (readonly [string, string])[]): string | undefined =>
  names.find(([mark]) => agent.includes(mark))?.[1];

/** A User-Agent as a person knows it; itself where it is of no browser. */
export const browserOf = (agent: string): string => {
  const browser = named(agent, BROWSERS);
  const system = named(agent, SYSTEMS);
  return browser === undefined ? agent : system === undefined ? browser : `${browser} on ${system}`;
};
