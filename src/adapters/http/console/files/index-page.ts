export type ConsoleKind = 'merchant' | 'app';

/** Paths of the consoles, without a slash at the end. */
export const CONSOLE_PATHS = { merchant: '/console', app: '/apps/console' } as const satisfies Record<ConsoleKind, string>;

/** A tenon: the end of one board that fits into another. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%23b4691f' d='M1 3h8v3h6v4H9v3H1z'/%3E%3C/svg%3E";

/**
 * The page that starts the console. It has no script and no style of its own, so that the policy
 * can refuse all such.
 */
export const indexPage = (
  { script, stylesheet }: { readonly script: string; readonly stylesheet: string | null },
  kind: ConsoleKind,
): string => {
  const assets = `${CONSOLE_PATHS[kind]}/assets`;
  const styles = stylesheet === null ? '' : `\n    <link rel="stylesheet" href="${assets}/${stylesheet}">`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="tenon-console" content="${kind}">
    <title>Tenon console</title>
    <link rel="icon" href="${ICON}">${styles}
    <script type="module" src="${assets}/${script}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>The console needs JavaScript.</noscript>
  </body>
</html>
`;
};
