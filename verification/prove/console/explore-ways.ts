import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { resultWays } from './explore-result-ways.ts'
import { button, placeOrder } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

/** Within a scene for sale of the demo. */
const area = '-99.155,47.02;-99.149,47.02;-99.149,47.026;-99.155,47.026'

/** Asserts that a line is shown whole, without an ellipsis. */
async function assertWholeLine(line: Locator): Promise<void> {
  await line.waitFor()
  const [needed, shown] = await line.evaluate((element) => [element.scrollWidth, element.clientWidth])
  assert.ok(needed! <= shown!, `"${await line.textContent()}" needs ${needed} px and has ${shown}`)
}

const comparer = createWay(
  'a buyer compares the prices of an area, and sees the cloud that was measured in it',
  async (stage) => {
    const { page, url } = stage
    await stage.signIn()
    await page.goto(`${url}/explore?area=${encodeURIComponent(area)}`)
    await assertWholeLine(
      page
        .locator('li[data-scene]')
        .first()
        .getByText(/^Covers .* cloud/),
    )
    await page.getByText(texts.explore.comparison.title).click()
    const comparison = page.locator('details').filter({ has: page.getByText(texts.explore.comparison.title) })
    const offer = comparison.locator('li').first()
    await offer.waitFor({ timeout: time_limits.work_ms })
    assert.match((await offer.textContent()) ?? '', /Covers \d+ % of the area/)
    await offer.getByRole('button').click()
    const measured = page.locator('dl div').filter({ hasText: texts.explore.facts.measuredCloud })
    await measured.waitFor({ timeout: time_limits.work_ms })
    assert.match((await measured.textContent()) ?? '', /\d+ %/)
    await button(page, texts.explore.addToCart).waitFor()
  },
)

/** The panel shows the filters from this width on; before, one press more opens them. */
const min_wide_px = 720
const max_presses = 8

/** Counts presses with the mouse or a finger; typing and the Enter key are not counted. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.presses = 0; addEventListener('pointerdown', () => window.presses++, true)`)
  return async () => Number(await page.evaluate('window.presses'))
}

/** The scenes of the latest months, on the time slider. */
async function chooseLatestDates(page: Page): Promise<void> {
  const bars = page.getByRole('img', { name: texts.explore.histogram })
  await bars.waitFor()
  const { width, height } = (await bars.boundingBox())!
  await bars.click({ position: { x: width - 2, y: height / 2 } })
  await page.waitForURL(/from=/)
}

const analyst = createWay(
  'an analyst comes from a place and its dates to NDVI of a bought scene within eight clicks, and measures it',
  async (stage) => {
    const { page } = stage
    const isWide = page.viewportSize()!.width >= min_wide_px
    await stage.signIn()
    const readPresses = await countPresses(page)
    if (!isWide) await page.locator('summary').getByText(texts.explore.filters).click()
    await page.getByRole('combobox', { name: texts.explore.place }).click()
    await page.keyboard.type('United Kingdom')
    await page.keyboard.press('Enter')
    await page.locator('li[data-scene*="hls-exe"]').first().waitFor()
    await chooseLatestDates(page)
    await page.locator('li[data-scene*="hls-exe"]').first().waitFor({ state: 'detached' })
    await page.locator('li[data-scene*="s2-exe-20240826"] button[aria-pressed]').click()
    await button(page, texts.explore.checkOut).click()
    await button(page, /^(Buy|Order) \d/).click()
    await placeOrder(page)
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
    await page.getByText(texts.orders.states.FULFILLED).first().waitFor({ timeout: time_limits.work_ms })
    await page
      .getByRole('link', { name: new RegExp(`^${texts.orders.view} `) })
      .first()
      .click()
    await button(page, 'NDVI').click()
    await page.waitForURL(/ndvi/i)
    const presses = await readPresses()
    assert.ok(presses <= max_presses + (isWide ? 0 : 1), `${presses} clicks`)
    await page.getByRole('button', { name: texts.viewer.tab.measure, exact: true }).click()
    await measureCentre(page)
  },
)

/** The map shows the item that was opened: its centre has a value. */
async function measureCentre(page: Page): Promise<void> {
  await page.getByText(texts.viewer.pointHelp).waitFor()
  const panel = (await page.locator('#panel').boundingBox())!
  const map = (await page.locator('canvas').first().boundingBox())!
  const isBeside = panel.x > map.x || panel.width < map.width
  const [left, bottom] = isBeside ? [panel.x + panel.width, map.y + map.height] : [map.x, panel.y]
  await page.mouse.click((left + map.x + map.width) / 2, (map.y + bottom) / 2)
  await page.getByRole('table', { name: texts.viewer.allBands }).waitFor({ timeout: time_limits.work_ms })
}

export const exploreWays: readonly Way[] = [analyst, comparer, ...resultWays]
