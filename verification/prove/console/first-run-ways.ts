import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { button } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { account, firstSteps, frame, palette } = texts

const card = (page: Page) => page.getByRole('region', { name: firstSteps.title })
/** On small screens the steps are folded. */
async function unfold(page: Page): Promise<void> {
  const details = card(page).locator('details')
  await details.waitFor()
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click()
}

async function showAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: account.account, exact: true }).click()
  await page.getByRole('menuitem', { name: firstSteps.show }).click()
}

const isDone = async (page: Page, step: keyof typeof firstSteps.steps): Promise<boolean> =>
  (await card(page).locator('li').filter({ hasText: firstSteps.steps[step] }).getAttribute('data-done')) === 'true'

const firstLook = createWay(
  'a new person looks at a place that changes with one press, and the first steps are ticked',
  async (stage) => {
    const { page, url, person } = stage
    await stage.signIn()
    await unfold(page)
    const client = createPersonClient(url, person)
    const countOrders = async () => (await client.call('orders.list', { size: 1 })).totalElements
    const [orders, credits] = [await countOrders(), await stage.readAvailableCredits()]
    assert.equal(await isDone(page, 'look'), false)
    await button(page, firstSteps.look.start).click()
    await page.waitForURL(/\/view\?.*compare=lapse/, { timeout: time_limits.work_ms })
    assert.equal(new URL(page.url()).searchParams.get('items')?.split(',').length, 4)
    await page.getByRole('region', { name: texts.viewer.legend }).getByText('1985').waitFor({ state: 'attached' })
    assert.equal(await stage.readAvailableCredits(), credits, 'the scenes are free')
    const ordered = await countOrders()
    assert.ok(ordered <= orders + 1)
    await page.getByRole('link', { name: frame.places.explore, exact: true }).click()
    // Others of the organization may have done the rest: then the card has disappeared by itself.
    await showAgain(page)
    await unfold(page)
    for (const step of ['find', 'buy', 'look'] as const) assert.equal(await isDone(page, step), true, step)
    // Scenes that the organization owns are not ordered again.
    await button(page, firstSteps.look.start).click()
    await page.waitForURL(/\/view\?.*compare=lapse/)
    assert.equal(await countOrders(), ordered)
  },
)

const closer = createWay(
  'a person closes and folds the first steps, and finds them again in the account menu and the commands',
  async ({ page, signIn }) => {
    await signIn()
    await card(page).getByRole('button', { name: firstSteps.close }).click()
    await card(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('li[data-scene]').first().waitFor()
    assert.equal(await card(page).count(), 0)
    await page.getByRole('link', { name: frame.places.orders, exact: true }).click()
    await showAgain(page)
    await card(page).getByRole('button', { name: firstSteps.close }).click()
    await card(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(palette.placeholder).fill(firstSteps.show)
    await page.keyboard.press('Enter')
    await unfold(page)
    const first = card(page).getByRole('link', { name: firstSteps.steps.find })
    await first.waitFor()
    await card(page).locator('summary').click()
    await first.waitFor({ state: 'hidden' })
    await card(page).locator('summary').click()
    await first.waitFor()
  },
)

export const firstRunWays: readonly Way[] = [firstLook, closer]
