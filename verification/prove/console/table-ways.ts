import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { buyScenes, createPersonClient, waitForDelivery } from '../../console/sample-data.ts'
import type { Person } from '../../console/sign-in.ts'
import { button } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { money, orders, ui, viewer } = texts

/** Saves the table that is shown; returns its rows, without the titles. */
async function saveRows(page: Page): Promise<string[][]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, ui.table.csv).click()])
  const [titles, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  assert.ok(titles?.includes(money.entries.amount))
  return rows.map((row) => row.split(','))
}

/** Of rows whose cells have no commas: time, reason, what it belongs to, credits, balance. */
const creditsOf = (rows: readonly string[][]): number[] => rows.map((cells) => Number(cells.at(-2)))

/** Buys scenes of a host beside the browser, and waits for them; returns their items. */
async function buyItems(url: string, person: Person, host_name: string, limit: number): Promise<string[]> {
  const client = createPersonClient(url, person)
  const { features } = await client.call('catalog.search', { host_name, limit })
  const order_id = await buyScenes(client, host_name, features)
  await waitForDelivery(client, order_id)
  const assets = await client.call('orders.list_assets', { order_id })
  return assets.features.map(({ item_id }) => item_id)
}

/** The rows that are sorted, found and saved are those that are shown. */
const bookkeeper = createWay(
  'a bookkeeper sorts the journal, finds rows in it and saves them, and compares orders in a table',
  async ({ page, url, person, signIn }) => {
    await buyItems(url, person, 'commercial', 1)
    await signIn()
    await page.goto(`${url}/money/journal`)
    const heading = page.getByRole('columnheader', { name: money.entries.amount })
    await heading.getByRole('button').click()
    assert.equal(await heading.getAttribute('aria-sort'), 'ascending')
    const rising = creditsOf(await saveRows(page))
    assert.ok(rising.length > 1)
    assert.deepEqual(
      rising,
      rising.toSorted((a, b) => a - b),
    )
    await heading.getByRole('button').click()
    assert.equal(await heading.getAttribute('aria-sort'), 'descending')
    await page.getByLabel(ui.table.searchIn(money.journal)).fill(money.reasons.grant_signup)
    await page.locator('main tbody tr').nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(
      (await saveRows(page)).map(([, reason]) => reason),
      [money.reasons.grant_signup],
      'the row that is shown',
    )
    await page.goto(`${url}/orders`)
    await page.getByRole('link', { name: orders.asTable }).click()
    await page.waitForURL(/\/orders\/table/)
    await page.locator('main tbody tr').first().waitFor()
    await page.reload()
    await page.locator('main tbody tr').first().getByRole('link').click()
    await page.waitForURL(/\/orders\/[0-9a-f]{8}-/)
    await page.goBack()
    await page.getByRole('link', { name: orders.asList }).click()
    await page.waitForURL((address) => address.pathname === '/orders')
  },
)

const recorder = createWay(
  'an analyst steps through a time-lapse, brightens it, saves it as a video, and leaves another recording',
  async ({ page, url, person, signIn }) => {
    const ids = await buyItems(url, person, 'open', 2)
    await signIn()
    await page.goto(`${url}/view?items=${ids.join(',')}&compare=lapse&tab=compare`)
    const pause = button(page, viewer.blinkPause)
    if ((await pause.count()) > 0) await pause.click()
    const frame = page.getByLabel(viewer.lapse.frame)
    const before = await frame.inputValue()
    await button(page, viewer.lapse.forward).click()
    assert.notEqual(await frame.inputValue(), before)
    await button(page, viewer.lapse.back).click()
    assert.equal(await frame.inputValue(), before)
    const saved = page.waitForEvent('download', { timeout: time_limits.work_ms })
    await button(page, viewer.lapse.save).click()
    const video = await readFile(await (await saved).path())
    assert.ok(video.length > 10_000, `the video has ${video.length} bytes`)
    await page.getByRole('button', { name: viewer.tab.picture, exact: true }).click()
    await page.getByLabel(viewer.gamma).fill('2')
    // The address quotes a text of digits.
    await page.waitForURL(/gamma=%222%22/)
    await page.getByLabel(viewer.brightness).fill('0.2')
    await page.waitForURL(/brightness=0.2/)
    await page.getByRole('button', { name: viewer.tab.compare, exact: true }).click()
    let downloads = 0
    page.on('download', () => downloads++)
    await button(page, viewer.lapse.save).click()
    await page
      .getByRole('status')
      .filter({ hasText: viewer.lapse.recording(2) })
      .waitFor()
    await page.getByRole('link', { name: texts.frame.places.library, exact: true }).click()
    // Longer than the rest of the recording would take.
    await page.waitForTimeout(4000)
    assert.equal(downloads, 0, 'a recording ends with the page that it was begun on')
  },
)

export const tableWays: readonly Way[] = [bookkeeper, recorder]
