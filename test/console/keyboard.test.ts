import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ADMIN_TOKEN } from '../support/app.ts';
import { expectNoProblems, openPage, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const ORDERS = 3;
/** With the ping of the subscription. */
const DELIVERIES = ORDERS + 1;

/** A name for what has the focus: what it is called, or what it shows. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  return at.getAttribute('aria-label') ?? at.textContent.trim();
})()`;

/** Numbers every control that is seen, in the order of the document, and gives how many there are. */
const NUMBER_CONTROLS = `(() => {
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((control) => control.checkVisibility() && !control.disabled);
  controls.forEach((control, index) => control.setAttribute('data-control', index));
  return controls.length;
})()`;

describe.skipIf(!browserAvailable())('the console by the keyboard alone', () => {
  let world: ConsoleWorld;
  let page: ConsolePage;
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = () => page.evaluate<string>(FOCUSED);
  const rows = () => page.locator('main tr[data-row]');
  const focusedRow = () =>
    page.evaluate<number>(`[...document.querySelectorAll('main tr[data-row]')].indexOf(document.activeElement)`);
  const openDeliveries = async (): Promise<void> => {
    await page.goto(`/console/stores/${world.store.id}/deliveries`);
    await expect.poll(() => rows().count()).toBe(DELIVERIES);
  };

  beforeAll(async () => {
    world = await openConsoleWorld();
    const path = `/admin/stores/${world.store.id}`;
    await world.app
      .admin('post', `${path}/webhooks/subscriptions`)
      .send({ url: `${world.works.url}/hook`, eventTypes: ['order.paid'] })
      .expect(200);
    for (let order = 1; order <= ORDERS; order += 1) {
      await world.app
        .admin('post', `${path}/events`)
        .send({ type: 'order.paid', data: { id: `order-${order}` } })
        .expect(202);
    }
    for (let arrived = 0; arrived < DELIVERIES; arrived += 1) await world.works.next();
    page = await openPage(world.browser, world.app.adminUrl);
  });

  afterAll(() => world.close());

  it('signs in, skips to the content, and finds an app by its id', async () => {
    await page.goto('/console/');
    await page.getByLabel('Admin token').waitFor();
    // The field has the focus already.
    await page.keyboard.type(ADMIN_TOKEN);
    await press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await openDeliveries();
    await press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
    await press('/');
    expect(await focused()).toBe('Search by a name, a URL, a SKU or any id');
    await page.keyboard.type(world.installed.clientId);
    await press('Enter');
    await page.getByRole('heading', { name: 'App', level: 1 }).waitFor();
    expectNoProblems(page);
  });

  it('j and k move through a list, Enter opens a row, Escape closes it, and the focus is on the row again', async () => {
    await openDeliveries();
    await press('j');
    expect(await focusedRow()).toBe(0);
    await press('j', 'j', 'j');
    expect(await focusedRow()).toBe(3);
    // The focus stays in the list.
    await press('j');
    expect(await focusedRow()).toBe(3);
    await press('k', 'k');
    expect(await focusedRow()).toBe(1);
    await press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Send again' }).waitFor();
    expect(await page.evaluate<boolean>(`document.activeElement.closest('dialog') !== null`)).toBe(true);
    // While it is open, these keys are not for the list behind it.
    await press('j', 'r', '?');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await focusedRow()).toBe(1);
    await press('j');
    expect(await focusedRow()).toBe(2);
    expectNoProblems(page);
  });

  it('a drawer that was opened by its link gives the focus back to the link', async () => {
    await openDeliveries();
    await rows().nth(1).getByRole('link').first().focus();
    await press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Send again' }).waitFor();
    await press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const focusedLink = `[...document.querySelectorAll('main tr[data-row]')].indexOf(document.activeElement.closest('a')?.closest('tr'))`;
    expect(await page.evaluate<number>(focusedLink)).toBe(1);
  });

  it('the focus does not leave a dialog until it is closed', async () => {
    await openDeliveries();
    await press('j', 'Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Send again' }).waitFor();
    for (let tab = 0; tab < 30; tab += 1) {
      await press('Tab');
      expect(
        await page.evaluate<boolean>(
          `document.activeElement === document.body || document.activeElement.closest('dialog') !== null`,
        ),
      ).toBe(true);
    }
    await press('Escape');
  });

  it('a filter keeps the focus when it is cleared, so that what is typed next is its text', async () => {
    await openDeliveries();
    const field = page.getByRole('searchbox', { name: 'Id of a product' });
    await field.fill('order-1');
    await press('Enter');
    await expect.poll(() => page.url()).toContain('resource=order-1');
    await field.fill('');
    await expect.poll(() => rows().count()).toBe(DELIVERIES);
    await page.keyboard.type('jr');
    expect(await field.inputValue()).toBe('jr');
    await field.fill('');
  });

  it('r reads the page again, and ? shows the keys', async () => {
    await openDeliveries();
    const again = page.waitForResponse((response) => response.url().includes(`/stores/${world.store.id}/deliveries`));
    await press('r');
    expect((await again).status()).toBe(200);
    await press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('Search by a name, a URL, a SKU or any id').waitFor();
    await press('Escape');
    await help.waitFor({ state: 'detached' });
    // While the reader types, letters are only letters.
    await press('/');
    await page.keyboard.type('jkr?');
    expect(await page.getByLabel('Search by a name, a URL, a SKU or any id').inputValue()).toBe('jkr?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expectNoProblems(page);
  });

  it('Tab reaches every control of the page in its order, and each shows that it has the focus', async () => {
    await openDeliveries();
    const controls = await page.evaluate<number>(NUMBER_CONTROLS);
    expect(controls).toBeGreaterThan(40);
    const reached: string[] = [];
    const without: string[] = [];
    for (let control = 0; control < controls; control += 1) {
      await press('Tab');
      const [number, isShown, name] = await page.evaluate<[string, boolean, string]>(`(() => {
        const at = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(at);
        const isShown = at.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
        return [at.getAttribute('data-control'), isShown, at.outerHTML.slice(0, 120)];
      })()`);
      reached.push(number);
      if (!isShown) without.push(name);
    }
    expect(reached).toEqual(Array.from({ length: controls }, (_, index) => String(index)));
    expect(without).toEqual([]);
    expectNoProblems(page);
  });

  it('rows are chosen and sent again by the keyboard', async () => {
    await openDeliveries();
    const before = world.works.received.length;
    await page.getByRole('checkbox', { name: 'Select all deliveries on this page' }).focus();
    await press('Space');
    const chosen = page.getByRole('region', { name: 'Selected deliveries' });
    await chosen.getByText(`${DELIVERIES} selected`).waitFor();
    await chosen.getByRole('button', { name: 'Send again' }).focus();
    await press('Enter');
    await page.getByText(`${DELIVERIES} delivered.`).waitFor();
    await expect.poll(() => world.works.received.length).toBe(before + DELIVERIES);
    expectNoProblems(page);
  });
});
