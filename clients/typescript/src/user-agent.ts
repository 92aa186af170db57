/** The version of package.json. */
export const VERSION = '0.1.0';

/** Your app, as the log of the server names it. */
export interface AppInfo {
  readonly name: string;
  readonly version?: string | undefined;
}

/** `tenon-client/0.1.0 search-index/2.1`. Throws a TypeError where a part has other characters than a product of the header may have. */
export const userAgent = (app: AppInfo | undefined): string => {
  const parts = [app?.name, app?.version].filter((part) => part !== undefined);
  if (!parts.every((part) => /^[\w.+~-]+$/.test(part)))
    throw new TypeError('app.name and app.version take letters, digits and ._+~-');
  return `tenon-client/${VERSION} ${parts.join('/')}`.trimEnd();
};
