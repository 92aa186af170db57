import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage, WIDER, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { freePort } from '../support/free-port.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { CLIENT, startProvider, type TestProvider } from '../support/oidc.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1440] as const;

/** Browsers give no passkeys to 127.0.0.1. */
const local = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** Where the pictures for a person to look at go; none by default. */
const SHOTS = process.env['SHOTS'];

describe.skipIf(!browserAvailable())('signing in with a passkey or at the identity provider', () => {
  let world: ConsoleWorld;
  let provider: TestProvider;
  let base: string;
  beforeAll(async () => {
    const port = await freePort();
    base = `http://localhost:${String(port)}`;
    provider = await startProvider([`${base}/console/sign-in`]);
    world = await openConsoleWorld({
      ADMIN_PORT: String(port),
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Example Login',
    });
    expect(local(world.app.adminUrl)).toBe(base);
  });
  afterAll(async () => {
    await world.close();
    await provider.close();
  });

  const anOperator = async (name: string, more: object = {}): Promise<string> => {
    const { body } = await world.app
      .admin('post', '/admin/operators')
      .send({ name, ...more })
      .expect(201);
    const { id } = body as { id: string };
    const link = await world.app.admin('post', `/admin/operators/${id}/links`).expect(201);
    return (link.body as { path: string }).path;
  };
  /** A browser with a fingerprint reader, whose owner always touches it. */
  const open = async (options: Parameters<typeof openPage>[2] = {}): Promise<ConsolePage & { readonly device: CDPSession }> => {
    const page = await openPage(world.browser, base, options);
    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return Object.assign(page, { device });
  };
  const looksRight = async (page: ConsolePage, name: string): Promise<void> => {
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(WIDER)).toBeLessThanOrEqual(0);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
  };
  const addPasskey = async (page: ConsolePage, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Add the passkey' }).click();
  };
  const signOut = async (page: ConsolePage): Promise<void> => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  };

  // Before its metadata are read for the first time.
  it('a provider that is away says so, and the other ways are still there', async () => {
    provider.answers({ status: 503 });
    const page = await open();
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in with Example Login' }).click();
    await page.getByRole('alert').getByText('Example Login does not answer, or does not know this server.').waitFor();
    await page.getByLabel('Admin token').waitFor();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    provider.answers(null);
    await page.context().close();
  });

  it('an operator adds a passkey, signs in with it in two clicks, and removes it', async () => {
    const page = await open();
    await page.goto(await anOperator('Ada Lovelace'));
    await page.getByRole('button', { name: /^Sign in as / }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByText('No passkeys yet').waitFor();
    await addPasskey(page, 'Work laptop');
    await page.getByText('Work laptop signs you in from now on.').waitFor();
    await page.getByRole('row', { name: /Passkey.*Work laptop.*never/ }).waitFor();
    await addPasskey(page, 'Work laptop again');
    await page.getByText('This device has a passkey of yours already.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await signOut(page);
    await page.goto('/console/account');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    // The page that was asked for, after one click and the touch.
    await page.getByRole('row', { name: /Passkey.*Work laptop/ }).waitFor();

    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('No passkeys yet').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('This server does not know the passkey').waitFor();
    // A link still signs in.
    await page.goto(await anOperator('Ada Lovelace the second'));
    await page.getByRole('button', { name: /^Sign in as / }).click();
    await page.getByRole('link', { name: 'Ada Lovelace the second' }).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('a passkey that is cancelled says so in words', async () => {
    const page = await openPage(world.browser, base);
    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;
    // The owner of the passkey is not recognised.
    await device.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: false } });
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('The passkey was not used. Try again, or sign in another way.').waitFor();
    await page.context().close();
  });

  it('an operator signs in at the identity provider, and is back on the page that was asked for', async () => {
    const email = 'grace@example.com';
    await anOperator('Grace Hopper', { email, role: 'owner' });
    provider.signsIn({ sub: 'grace', email, email_verified: true });
    const page = await open();
    await page.goto('/console/operators?open=nobody');
    await page.getByRole('button', { name: 'Sign in with Example Login' }).click();
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor();
    expect(page.url()).toBe(`${base}/console/operators?open=nobody`);
    await page.getByRole('link', { name: 'Grace Hopper' }).last().waitFor();
    // The owner sees how each operator signs in.
    await page
      .getByRole('row', { name: /Grace Hopper/ })
      .getByRole('link')
      .click();
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /Account.*grace@example\.com/ })
      .waitFor();
    await page.context().close();
  });

  it('an account that is refused says why, and its answer does not stay in the address', async () => {
    provider.signsIn({ sub: 'eve', email: 'eve@example.com', email_verified: true });
    const page = await open();
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in with Example Login' }).click();
    await page.getByRole('alert').getByText('No operator has the email address eve@example.com.').waitFor();
    expect(page.url()).toBe(`${base}/console/sign-in`);
    await page.context().close();
  });

  it('a link that leads elsewhere after the sign-in does not', async () => {
    const email = 'joan@example.com';
    await anOperator('Joan Clarke', { email });
    provider.signsIn({ sub: 'joan', email, email_verified: true });
    const page = await open();
    await page.goto(`/console/sign-in?next=${encodeURIComponent('//evil.test/')}`);
    await page.getByRole('button', { name: 'Sign in with Example Login' }).click();
    await page.getByRole('link', { name: 'Joan Clarke' }).waitFor();
    expect(new URL(page.url()).origin).toBe(base);
    await page.context().close();
  });

  it('an answer in the address that belongs to no sign-in of this browser is refused', async () => {
    const page = await open();
    await page.goto('/console/sign-in?code=x&state=y');
    await page.getByRole('alert').getByText('Begin again').waitFor();
    expect(page.url()).toBe(`${base}/console/sign-in`);
    await page.context().close();
  });

  it.each(WIDTHS.flatMap((width) => THEMES.map((colorScheme) => [width, colorScheme] as const)))(
    'the pages have no violation that axe finds, and fit %i px in %s',
    async (width, colorScheme) => {
      const mark = `${String(width)}-${colorScheme}`;
      const page = await open({ colorScheme, viewport: { width, height: 900 } });
      await page.goto('/console/');
      await page.getByRole('button', { name: 'Sign in with Example Login' }).waitFor();
      await looksRight(page, `sign-in-${mark}`);
      await page.goto(await anOperator(`Katherine Johnson ${mark}`));
      await page.getByRole('button', { name: /^Sign in as / }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.goto('/console/account');
      await page.getByText('No passkeys yet').waitFor();
      await looksRight(page, `account-empty-${mark}`);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('Name', { exact: true }).waitFor();
      await looksRight(page, `account-add-${mark}`);
      await page.getByLabel('Name', { exact: true }).fill('The laptop at the desk in the office by the harbour');
      await page.getByRole('button', { name: 'Add the passkey' }).click();
      await page.getByRole('row', { name: /Passkey/ }).waitFor();
      // On a phone the row is a card, where 'never' alone would not say of what.
      const before = "getComputedStyle(document.querySelector('td[data-name=\"Last used\"]'), '::before').content";
      expect(await page.evaluate(before)).toBe(width === 390 ? '"Last used "' : 'none');
      await looksRight(page, `account-${mark}`);
      await page.getByRole('button', { name: /^Remove The laptop/ }).click();
      await page.getByRole('button', { name: 'Remove the passkey' }).waitFor();
      await looksRight(page, `account-remove-${mark}`);
      await page.context().close();
      const owner = await world.open('', { colorScheme });
      await owner.setViewportSize({ width, height: 900 });
      await owner.goto('/console/operators');
      await owner.getByRole('link', { name: `Katherine Johnson ${mark}` }).click();
      await owner
        .getByRole('dialog')
        .getByRole('row', { name: /Passkey/ })
        .waitFor();
      await looksRight(owner, `operator-${mark}`);
      await owner.goto('/console/account');
      await owner.getByText('You signed in with the admin token.').waitFor();
      await looksRight(owner, `account-owner-${mark}`);
      await owner.context().close();
    },
  );
});
