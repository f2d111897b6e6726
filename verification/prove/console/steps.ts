import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** The best way to the price is through the panel: it has the words on its buttons. */
export async function chooseFirstScene(page: Page): Promise<void> {
  const first = page.locator('li[data-scene] button[aria-pressed]').first()
  await first.click()
  assert.equal(await first.getAttribute('aria-pressed'), 'true')
}

/** The dialog repeats the sum on its button. */
export const placeOrder = (page: Page): Promise<void> =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Buy|Order) \d/ })
    .click()

/** Of the place alone: what waits in the inbox is part of the name of its link in the rail, with the word "notifications". */
export const openNotifications = (page: Page): Promise<void> =>
  page
    .getByRole('navigation', { name: texts.notifications.tabs })
    .getByRole('link', { name: texts.notifications.tab })
    .click()

/** The page of the first item of the library. */
export async function openFirstItem(page: Page): Promise<void> {
  await page.getByRole('link', { name: texts.frame.places.library }).click()
  await page.getByRole('list', { name: texts.library.items }).getByRole('link').first().click()
  await page.waitForURL(/\/library\/items\//)
}

export async function buySelection(page: Page): Promise<void> {
  await button(page, texts.explore.addToCart).click()
  await page.getByRole('link', { name: new RegExp(texts.explore.openCart) }).click()
  await button(page, /^(Buy|Order) \d/).click()
  await placeOrder(page)
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
}
