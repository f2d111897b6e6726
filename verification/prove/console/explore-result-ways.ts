import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { minute_ms } from '@swath/geo/time-units.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { button } from './steps.ts'
import { createWay, type Way } from './stage.ts'

const { explore } = texts

/** Two aerial photographs of one day, and others of other days. */
const flights = 'v=-78,36.622,11'
const world = 'v=-20,30,1.5'
const scenes = (page: Page) => page.locator('li[data-scene]')

/** From this width on the filters are below a line of their own; before, they are below that of the area. */
const min_wide_px = 720

async function openFilters(page: Page): Promise<void> {
  const isWide = page.viewportSize()!.width >= min_wide_px
  await page
    .locator('summary')
    .getByText(isWide ? explore.noFilters : explore.filters, { exact: true })
    .click()
}

const grouper = createWay(
  'an analyst groups scenes by date and pass, chooses a day of the calendar, and selects a whole pass',
  async ({ page, url, signIn }) => {
    await signIn()
    await page.goto(`${url}/explore?${flights}`)
    await scenes(page).first().waitFor()
    await button(page, explore.byPass).click()
    await page.waitForURL(/group=pass/)
    const calendar = page.getByRole('group', { name: explore.calendar.label })
    const day = calendar.getByRole('button', { name: explore.calendar.day('20 Jun 2016', 2) })
    while ((await day.count()) === 0)
    await calendar.getByRole('button', { name: explore.calendar.earlier }).and(page.locator(':not([aria-disabled="true"])')).click() // prettier-ignore
    await day.click()
    await page.waitForURL(/from=2016-06-20&to=2016-06-20/)
    // The grouping is a part of the address.
    await page.reload()
    const header = page.locator('li[data-pass]').getByRole('button', { name: /^20 Jun 2016 · Aircraft/ })
    await header.waitFor()
    assert.match((await header.textContent()) ?? '', new RegExp(`${explore.count(2)}$`))
    assert.equal(await page.locator('li[data-pass]').count(), 1, 'the other days are hidden')
    await header.click()
    await page.getByText(explore.selected(2)).waitFor()
    assert.equal(await header.getAttribute('aria-pressed'), 'true')
    await page.keyboard.press('ArrowDown')
    await page.locator('li[data-scene] button:focus').waitFor()
    await page.keyboard.press('Home')
    await header.and(page.locator(':focus')).waitFor()
    await calendar.getByRole('button', { name: explore.calendar.day('20 Jun 2016', 2) }).click()
    await page.locator('li[data-pass]').nth(1).waitFor({ state: 'attached' })
    assert.doesNotMatch(page.url(), /from=/)
  },
)

const narrower = createWay(
  'a buyer narrows scenes by satellite, date and tilt, and is told which scenes do not state it',
  async ({ page, url, signIn }) => {
    await signIn()
    await page.goto(`${url}/explore?${world}`)
    await scenes(page).first().waitFor()
    await openFilters(page)
    await page.getByLabel(explore.sensor, { exact: true }).selectOption('sentinel-2')
    await page.waitForURL(/sensor=sentinel-2/)
    await page.locator('li[data-scene*="l8-"]').waitFor({ state: 'detached' })
    const from = page.getByLabel(explore.from, { exact: true })
    await from.fill('2024-07-01')
    await from.blur()
    assert.equal(await from.inputValue(), '1 Jul 2024', 'a date has one format')
    await page.waitForURL(/from=2024-07-01/)
    await from.fill('07/01/2024')
    await from.blur()
    await page.getByText(texts.ui.date.unknown).waitFor()
    await button(page, texts.ui.date.open(explore.from)).click()
    await page.keyboard.press('Escape')
    await from.fill('1 Aug 2024')
    await page.waitForURL(/from=2024-08-01/)
    await page.getByLabel(explore.maxOffNadir, { exact: true }).selectOption('10')
    await page.waitForURL(/nadir=10/)
    await page.getByText(explore.unstatedShown(2)).waitFor()
    await scenes(page)
      .first()
      .getByText(explore.unstated([explore.filterNames.maxOffNadir]))
      .waitFor()
    await button(page, explore.hideUnstated).click()
    await page.waitForURL(/stated=only/)
    await button(page, explore.drop(explore.filterNames.maxOffNadir)).click()
    await page.locator('li[data-scene*="s2-exe-20240826"]').waitFor({ state: 'attached' })
  },
)

const host_scene_count = 1150

/** The response of a host with more scenes than are requested at once, the newest first. */
function searchManyScenes({ limit, datetime }: { readonly limit: number; readonly datetime?: string }): string {
  const until_ms = datetime ? Date.parse(datetime.split('/')[1]!) : Infinity
  return Array.from({ length: host_scene_count }, (_, index) => ({
    type: 'Feature',
    id: `many-${index}`,
    geometry: null,
    // Pairs have the same time, so that the border of an answer can be within one.
    properties: {
      host: 'open',
      datetime: new Date(Date.UTC(2026, 0, 1) - Math.floor(index / 2) * minute_ms).toISOString(),
    },
    'service:price': { credits: 0 },
  }))
    .filter(({ properties }) => Date.parse(properties.datetime) <= until_ms)
    .slice(0, limit)
    .map((scene) => `${JSON.stringify(scene)}\n`)
    .join('')
}

const reader = createWay(
  'an analyst loads more scenes than a provider lists at once, until there are no more',
  async ({ page, url, signIn }) => {
    await signIn()
    await page.route('**/v1/op/catalog.search_stream', async (route) => {
      const input = route.request().postDataJSON() as { host_name: string; limit: number; datetime?: string }
      const body = input.host_name === 'open' ? searchManyScenes(input) : ''
      await route.fulfill({ status: 200, contentType: 'application/x-ndjson', body })
    })
    await page.goto(`${url}/explore`)
    for (const count of [500, 1000]) {
      await page.getByText(explore.found(count, count), { exact: true }).waitFor()
      await button(page, explore.loadMore).click()
    }
    await page.getByText(explore.found(host_scene_count, host_scene_count), { exact: true }).waitFor()
    await button(page, explore.loadMore).waitFor({ state: 'detached' })
  },
)

/** Rows that are in view as a whole. */
const countRows = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const { top, bottom } = document.querySelector('ul:has(> li[data-scene])').parentElement.getBoundingClientRect()
    const isWhole = (row) => row.top >= top && row.bottom <= Math.min(bottom, innerHeight)
    return [...document.querySelectorAll('li[data-scene]')].filter((row) => isWhole(row.getBoundingClientRect())).length
  })()`)

const overviewer = createWay(
  'a buyer sees nine scenes at once on a laptop, and seven beside a selection',
  async ({ page, url, signIn }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await signIn()
    await page.goto(`${url}/explore?${world}`)
    await scenes(page).nth(9).waitFor()
    const count = await countRows(page)
    assert.ok(count >= 9, `${count} scenes are in view`)
    await scenes(page).first().locator('button[aria-pressed]').click()
    await page.getByText(explore.selected(1)).waitFor()
    const left_count = await countRows(page)
    assert.ok(left_count >= 7, `${left_count} scenes are in view beside a selection`)
  },
)

/** Ways through the results of a search. */
export const resultWays: readonly Way[] = [grouper, narrower, reader, overviewer]
