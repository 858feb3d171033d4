import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { PageOptions, TestBrowser } from './browser.ts';
import { json, type Server, send } from './http-client.ts';
import type { TestService } from './service.ts';

export const TARGET = 'https://example.com/handbook?chapter=3#end';
export const FILE = { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('its content') };

/** Opens the page on which links are created, and waits for its form. */
export async function openCreatePage(
  openPage: TestBrowser['openPage'],
  t: TestContext,
  service: TestService,
  options?: PageOptions,
): Promise<Page> {
  const page = await openPage(t, options);
  await page.goto(service.url);
  await page.locator('.link-form').waitFor();
  return page;
}

/** Chooses what the new link leads to, in any language. */
export async function chooseSource(page: Page, kind: 'URL' | 'FILES' | 'TEXT' | 'REQUEST'): Promise<void> {
  await page.locator(`[name=kind][value=${kind}]`).check();
}

/** Chooses files for the new link. */
export async function chooseFiles(
  page: Page,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
): Promise<void> {
  await chooseSource(page, 'FILES');
  await page.locator('input[type=file]').first().setInputFiles(files);
}

/** Switches the encryption of files or a text on, which is among the rarer options. */
export async function encryptInPage(page: Page): Promise<void> {
  await openOptions(page);
  await page.getByRole('checkbox', { name: 'Encrypt in this browser' }).click();
}

/** Opens the rarer options, in any language. */
export async function openOptions(page: Page): Promise<void> {
  await page.locator('.link-form .more:not([open]) > summary').first().click();
}

/** Creates a link through the page, with the options that `choose` selects. Returns its short code. */
export async function createInPage(page: Page, choose?: () => Promise<void>): Promise<string> {
  await page.getByLabel('Paste a URL').fill(TARGET);
  await choose?.();
  await page.getByRole('button', { name: 'Create link' }).click();
  const shortCode = await createdShortCode(page);
  await page.locator('.my-link', { hasText: shortCode }).locator('.badge').waitFor();
  return shortCode;
}

/** Waits for the created link, and returns its short code. */
export async function createdShortCode(page: Page): Promise<string> {
  const link = page.locator('.result-link p');
  await link.waitFor();
  return /\/l\/(\w+)$/.exec(await link.innerText())?.[1] ?? assert.fail('the page shows no link');
}

/** Returns the API's description of a link. */
export async function describeLink(service: Server, shortCode: string): Promise<Record<string, unknown>> {
  return json(await send(service, `/api/links/${shortCode}`)) as Record<string, unknown>;
}
