import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const max_tabs = 80

/** Presses Tab until an element has the focus, as a person does who looks where it is. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  // A button that is not ready yet cannot have the focus.
  await target.and(page.locator(':not(:disabled)')).first().waitFor({ timeout: time_limits.step_ms })
  for (let tabs = 0; tabs <= max_tabs; tabs++) {
    if (await hasFocus(page, target)) return assertVisibleFocus(page)
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not reach ${String(target)} within ${max_tabs} steps`)
}

const hasFocus = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(':focus')).count()) > 0

interface Focus {
  readonly name: string
  readonly isInView: boolean
  readonly hasRing: boolean
}

/** A ring, at a place that is in view. */
async function assertVisibleFocus(page: Page): Promise<void> {
  const { name, isInView, hasRing } = (await page.evaluate(`(() => {
    const element = document.activeElement
    const { outlineStyle, boxShadow } = getComputedStyle(element)
    const { top, bottom, width } = element.getBoundingClientRect()
    return { name: element.outerHTML.slice(0, 120),
      isInView: width > 0 && bottom > 0 && top < innerHeight,
      hasRing: outlineStyle !== 'none' || boxShadow !== 'none',
    }
  })()`)) as Focus
  assert.ok(isInView, `the focus is out of view: ${name}`)
  assert.ok(hasRing, `no ring around ${name}`)
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** After a navigation the keyboard is at the heading of the panel. */
async function waitForHeadingFocus(page: Page): Promise<void> {
  await page.locator('main h1:focus').waitFor()
}

async function signInByKeyboard(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(url)
  await tabTo(page, page.getByLabel(/e-?mail/i))
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.locator('main h1').first().waitFor({ timeout: time_limits.step_ms })
}

/** The first link of the page leads over the rail. */
async function skipToPanel(page: Page): Promise<void> {
  await press(page, page.getByRole('link', { name: texts.frame.skipToPanel }))
  await page.locator('#panel:focus').waitFor()
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

const buyByKeyboard = createWay(
  'by keyboard alone: sign in, choose a scene, buy it, see it delivered',
  async ({ page, url, person }) => {
    await signInByKeyboard(page, url, person.email, person.password)
    await skipToPanel(page)
    const rows = page.locator('li[data-scene] button[aria-pressed]')
    await rows.nth(1).waitFor()
    await tabTo(page, rows)
    await page.keyboard.press('ArrowDown')
    const chosen = page.locator('li[data-index="1"] button[aria-pressed]')
    await tabTo(page, chosen)
    await page.keyboard.press('Space')
    assert.equal(await chosen.getAttribute('aria-pressed'), 'true')
    await press(page, button(page, texts.explore.addToCart))
    await press(page, page.getByRole('link', { name: new RegExp(texts.explore.openCart) }))
    await page.waitForURL(/\/cart/)
    await waitForHeadingFocus(page)
    const buy = button(page, /^(Buy|Order) \d/)
    await press(page, buy)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await hasFocus(page, buy), 'the focus is back at the button')
    await page.keyboard.press('Enter')
    await press(page, dialog.getByRole('button', { name: /^(Buy|Order) \d/ }))
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
    await waitForHeadingFocus(page)
    await page.getByText(texts.orders.states.FULFILLED).first().waitFor({ timeout: time_limits.work_ms })
  },
)

const viewByKeyboard = createWay(
  'by keyboard alone: open an item in the viewer, choose NDVI, change the opacity',
  async ({ page, url, person }) => {
    await signInByKeyboard(page, url, person.email, person.password)
    await press(page, page.getByRole('link', { name: texts.frame.places.library }))
    await page.waitForURL(/\/library/)
    await waitForHeadingFocus(page)
    await press(page, page.getByRole('list', { name: texts.library.items }).getByRole('link'))
    await page.waitForURL(/\/library\/items\//)
    await waitForHeadingFocus(page)
    await press(page, button(page, texts.library.item.open))
    await page.waitForURL(/\/view/)
    await press(page, button(page, 'NDVI'))
    await page.waitForURL(/NDVI|ndvi/i)
    const opacity = page.getByLabel(new RegExp(`^${texts.viewer.opacity}`))
    await tabTo(page, opacity)
    const before = Number(await opacity.inputValue())
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    assert.ok(Number(await opacity.inputValue()) < before, 'the arrow keys change the opacity')
    await page.waitForURL(/opacity=/)
  },
)

export const keyboardWays: readonly Way[] = [buyByKeyboard, viewByKeyboard]
