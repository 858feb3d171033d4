import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { PAGE_TIMEOUT_MS } from './browser.ts';

const MAX_TABS = 60;
const READ_EACH_MS = 20;

/** Waits until `read` returns the expected value. A page renders some time after an action, and an effect later. */
export async function assertBecomes<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  const deadline = performance.now() + PAGE_TIMEOUT_MS;
  for (;;) {
    const value = await read();
    const isOver = isDeepStrictEqual(value, expected) || performance.now() > deadline;
    if (isOver)
      return message === undefined
        ? assert.deepEqual(value, expected)
        : assert.deepEqual(value, expected, message);
    await pause(READ_EACH_MS);
  }
}

/** Waits until the element has the focus. */
export async function waitForFocus(page: Page, element: Locator): Promise<void> {
  await element.and(page.locator(':focus')).waitFor();
}

/** Presses Tab until the element has the focus, once it is there. */
export async function tabTo(page: Page, role: string, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  // Tests pass ARIA roles only.
  const named = page.getByRole(role as Parameters<Page['getByRole']>[0], {
    name,
    exact: typeof name === 'string',
  });
  await named.first().waitFor({ state: 'attached' });
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    await page.keyboard.press('Tab');
    if ((await named.and(page.locator(':focus')).count()) > 0) return;
    passed.push((await page.evaluate('document.activeElement?.outerHTML.slice(0, 120)')) as string);
  }
  assert.fail(`No Tab leads to the ${role} ${name}. Passed:\n${passed.join('\n')}`);
}

/** Fails if the page scrolls horizontally. */
export async function assertFits(page: Page): Promise<void> {
  const [content, window] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number];
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window} px`);
}

/** Returns whether the page would make the browser ask before the user leaves it. */
export function asksBeforeLeaving(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
}

/** Chooses an item of a menu: that of the page of a link is "More". */
export async function chooseInMenu(page: Page, item: string, menu = 'More'): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}
