import { spawn } from 'node:child_process';

import type { ConsoleCode } from '../../http/answers.ts';
import { adminCommand } from '../command.ts';
import { switchFlag } from '../flags.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** False when there is no program for it, as on a server without a desktop. */
const openInBrowser = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(OPENERS[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true });
    child.once('error', () => {
      resolve(false);
    });
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });

export const openConsole = adminCommand({
  docs: {
    brief: 'Open the console in the browser, signed in',
    about: 'The link works once, within 10 minutes. In a pipe, or without a browser, the link is printed instead.',
    examples: ['tenon open', 'tenon open --print'],
  },
  flags: { print: switchFlag('Print the link instead of opening it') },
  run: async ({ api, print }, flags) => {
    const code = await api.post<ConsoleCode>('/console-codes');
    const url = api.url + code.path;
    const isOpened = print.isForPeople && flags.print !== true && (await openInBrowser(url));
    if (isOpened) print.say(`The console is open at ${api.url}/console.`);
    else print.bare({ url, expiresAt: code.expiresAt }, url);
  },
});
