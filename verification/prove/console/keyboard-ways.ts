import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { waitForConsole } from '../../console/sign-in.ts'
import type { Stage } from './stage.ts'
import type { Way } from './way.ts'

const max_tabs = 60
const delivery_timeout_ms = 60_000

/** Presses Tab until the element has the focus. Throws if it cannot be reached, or if the focus cannot be seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  // A button that is not ready yet cannot have the focus.
  await target.and(page.locator(':not(:disabled)')).first().waitFor()
  for (let tabs = 0; tabs < max_tabs; tabs++) {
    const focused = target.and(page.locator(':focus'))
    if ((await focused.count()) > 0) {
      assert.ok(await page.evaluate(hasVisibleFocus), `the focus on ${String(target)} can be seen`)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(target)} cannot be reached with ${max_tabs} times Tab`)
}

/** Runs in the page: whether the focus has an outline, of the element or of what is drawn around it. */
const hasVisibleFocus = `(() => {
  for (let shown = document.activeElement; shown && shown !== document.body; shown = shown.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(shown)
    if ((outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none') return true
  }
  return false
})()`

async function activate(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function signInByKeyboard({ page, url, credentials, newPassword }: Stage): Promise<void> {
  await page.goto(url)
  await tabTo(page, page.getByLabel(/e-?mail/i))
  await page.keyboard.type(credentials.username)
  await tabTo(page, page.getByLabel(/^password/i))
  await page.keyboard.type(newPassword)
  await page.keyboard.press('Enter')
  await waitForConsole(page)
}

/** Goes past the rail, as the first Tab offers. */
const skipToPanel = (page: Page): Promise<void> =>
  activate(page, page.getByRole('link', { name: texts.frame.skipToPanel }))

const order: Way = {
  name: 'by keyboard alone: signs in, chooses a scene and orders it',
  run: async (stage) => {
    const { page } = stage
    await signInByKeyboard(stage)
    await page.locator('li[data-scene]').first().waitFor()
    await skipToPanel(page)
    await activate(page, page.locator('li[data-scene] button[aria-pressed]'), 'Space')
    await activate(page, page.getByRole('button', { name: texts.explore.addToCart }))
    await activate(page, page.getByRole('link', { name: new RegExp(texts.explore.openCart) }))
    await page.waitForURL(/\/cart/)
    await activate(page, page.getByRole('button', { name: /^(Buy|Order) \d/ }))
    await activate(page, page.getByRole('dialog').getByRole('button', { name: /^(Buy|Order) \d/ }))
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
    await page.getByText(texts.orders.states.FULFILLED).first().waitFor({ timeout: delivery_timeout_ms })
  },
}

const view: Way = {
  name: 'by keyboard alone: opens an item, looks at NDVI and fades it',
  run: async (stage) => {
    const { page } = stage
    await signInByKeyboard(stage)
    await activate(page, page.getByRole('link', { name: texts.frame.places.orders }))
    await page.waitForURL(/\/orders/)
    await activate(page, page.locator('main ul li a'))
    await activate(page, page.getByRole('link', { name: new RegExp(`^${texts.orders.view} `) }))
    await page.waitForURL(/\/view/)
    await activate(page, page.getByRole('button', { name: 'NDVI' }))
    await page.waitForURL(/ndvi/i)
    const opacity = page.getByRole('slider', { name: texts.viewer.opacity })
    await tabTo(page, opacity)
    const before = Number(await opacity.inputValue())
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowLeft')
    assert.ok(Number(await opacity.inputValue()) < before, 'the image is fainter')
    await page.waitForURL(/opacity=/)
  },
}

export const keyboardWays: readonly Way[] = [order, view]
