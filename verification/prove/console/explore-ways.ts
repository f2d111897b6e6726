import assert from 'node:assert/strict'
import { texts } from '../../../apps/console/src/texts.ts'
import { button } from './steps.ts'
import { time_limits } from './time-limits.ts'
import type { Way } from './way.ts'

/** Within a scene for sale of the demo. */
const area = '-99.155,47.02;-99.149,47.02;-99.149,47.026;-99.155,47.026'

const comparer: Way = {
  name: 'a buyer compares the prices of an area, and sees the cloud that was measured in it',
  run: async (stage) => {
    const { page, url } = stage
    await stage.signIn()
    await page.goto(`${url}/explore?area=${encodeURIComponent(area)}`)
    await page.locator('li[data-scene]').first().waitFor()
    await page.getByText(texts.explore.comparison.title).click()
    const offer = page.locator('details li').first()
    await offer.waitFor({ timeout: time_limits.work_ms })
    assert.match((await offer.textContent()) ?? '', /Covers \d+ % of the area/)
    await offer.getByRole('button').click()
    const measured = page.locator('dl div').filter({ hasText: texts.explore.facts.measuredCloud })
    await measured.waitFor({ timeout: time_limits.work_ms })
    assert.match((await measured.textContent()) ?? '', /\d+ %/)
    await button(page, texts.explore.addToCart).waitFor()
  },
}

export const exploreWays: readonly Way[] = [comparer]
