/** The version of package.json. */
export const VERSION = '0.1.0';

/** Your app, as the log of the server names it. */
export interface AppInfo {
  readonly name: string;
  readonly version?: string | undefined;
}

const TOKEN = /^[\w.+~-]+$/;

/** `tenon-client/0.1.0 search-index/2.1`. Throws a TypeError where a part has other characters than a product of the header may have. */
export const userAgent = (app: AppInfo | undefined): string => {
  const parts = app === undefined ? [] : [app.name, ...(app.version === undefined ? [] : [app.version])];
  if (!parts.every((part) => TOKEN.test(part)))
    throw new TypeError('app.name and app.version take letters, digits and . _ + ~ -');
  return [`tenon-client/${VERSION}`, ...(parts.length === 0 ? [] : [parts.join('/')])].join(' ');
};
