import assert from 'node:assert/strict'
import { texts } from '../../../apps/console/src/texts.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { findIndexItem } from '../../console/sample-jobs.ts'
import { button } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { analyse, analytics, frame, viewer } = texts

const analyst = createWay(
  'an analyst computes an index of an item: priced, run, seen, and free when it is asked for again',
  async (stage) => {
    const { page, url, person } = stage
    const item = await findIndexItem(createPersonClient(url, person))
    await stage.signIn()
    await page.getByRole('link', { name: frame.places.analyse, exact: true }).click()
    await button(page, analyse.addItems).click()
    await page.getByLabel(analyse.findItems).fill(item.title)
    await page.locator('label').filter({ hasText: item.title }).getByRole('checkbox').first().check()
    await button(page, analyse.closePicker).click()
    await page.getByRole('link', { name: /^Spectral index/ }).click()
    // The jobs of earlier walks of this way had other names.
    const title = `NDVI ${Math.round(performance.now())}`
    await page.getByLabel(analyse.index, { exact: true }).selectOption('ndvi')
    await page.getByLabel(analyse.labels['title']!, { exact: true }).fill(title)
    const run = button(page, /^Run for [\d,]+ credits? · A\$/)
    await run.waitFor()
    const sum = Number(/for ([\d,]+) credit/.exec((await run.textContent()) ?? '')?.[1]?.replaceAll(',', ''))
    const before = await stage.readAvailableCredits()
    await run.click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Run for/ })
      .click()
    await page.waitForURL(/\/analyse\/jobs\/[0-9a-f-]{36}/)
    await page.getByText(analyse.next.completed).waitFor({ timeout: time_limits.work_ms })
    assert.equal(await stage.readAvailableCredits(), before - sum)
    await button(page, analyse.again).click()
    await button(page, analyse.runFree).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: analyse.view, exact: true }).click()
    await page.waitForURL(/\/view\?.*items=/)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByRole('region', { name: viewer.legend }).waitFor()
  },
)

const measurer = createWay(
  'an analyst measures a drawn area, and finds that a copy of the item has not changed',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    const { id, area } = await findIndexItem(client)
    const { id: copy } = await client.call('items.duplicate', { item_id: id })
    await stage.signIn()
    const search = new URLSearchParams({ items: `${id},${copy}`, preset: 'ndvi', tab: 'measure', tool: 'area', area })
    await page.goto(`${url}/view?${search.toString()}`)
    await page.getByRole('table', { name: analytics.zones }).waitFor({ timeout: time_limits.work_ms })
    await button(page, viewer.change.detect).click()
    await page.getByRole('img', { name: analytics.change.picture }).waitFor({ timeout: time_limits.work_ms })
    const changed = page.locator('dt').filter({ hasText: new RegExp(`^${analytics.change.changed}$`) })
    assert.match((await changed.locator('xpath=following-sibling::dd').textContent()) ?? '', /^0 pixels/)
  },
)

export const analyseWays: readonly Way[] = [analyst, measurer]
