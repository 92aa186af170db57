import { readFile } from 'node:fs/promises';
import { z } from 'zod';

import type { PlatformApp, RegisteredApp } from '../../../http/answers.ts';
import { all, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { shownPlatformApp } from './list.ts';

/** A manifest lists all that the app asks for, so an absent field is empty. The server judges the values. */
const manifestFile = z.strictObject({
  name: z.string(),
  redirectUrls: z.array(z.string()),
  scopes: z.array(z.string()),
  optionalScopes: z.array(z.string()).default([]),
  eventUrl: z.string().nullable().default(null),
});

const readManifest = async (path: string): Promise<z.output<typeof manifestFile>> => {
  try {
    return manifestFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new CommandFailure(`${path} is not a manifest: ${why}`, EXIT.usage);
  }
};

export const applyManifest = adminCommand({
  docs: {
    brief: 'Register or change a platform app by its manifest',
    about:
      'The manifest is JSON with name, redirectUrls, scopes, optionalScopes and eventUrl. An app of this name is changed to what it says: new scopes are pending until the merchant of each store accepts them. Otherwise the app is registered, and its two secrets are shown once.',
    examples: ['tenon platform-apps apply stock-sync.json'],
  },
  flags: {},
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'file', brief: 'File with the manifest' }] },
  run: async ({ api, print }, _flags, path) => {
    const { name, ...manifest } = await readManifest(path);
    const [present, another] = (await all(pages<PlatformApp>(api, '/platform-apps'))).filter((app) => app.name === name);
    if (another) throw new CommandFailure(`There are several platform apps named ${name}. Rename all but one.`, EXIT.usage);
    if (present) {
      const app = await api.patch<PlatformApp>(`/platform-apps/${present.id}`, manifest);
      print.one(app, shownPlatformApp(app));
      return;
    }
    const registered = await api.post<RegisteredApp>('/platform-apps', { name, ...manifest });
    const { app, clientId, clientSecret, signingSecret } = registered;
    print.one(registered, { id: app.id, name: app.name, clientId, clientSecret, signingSecret });
    print.say('The two secrets are not shown again.');
  },
});
