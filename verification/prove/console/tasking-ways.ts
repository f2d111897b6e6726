import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { createPersonClient, createSandboxOwner, taskingArea } from '../../console/sample-data.ts'
import { replacePassword, signIn, waitForConsole } from '../../console/sign-in.ts'
import { button, buySelection, chooseFirstScene } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { tasking, inbox, sandbox } = texts
const { west, south, east, north } = taskingArea

async function pasteArea(page: Page): Promise<void> {
  await button(page, texts.area.paste).click()
  await page.getByLabel(texts.area.text).fill([west, south, east, north].join(','))
  await button(page, texts.area.use).click()
}

const operations = createWay(
  'operations has new imagery acquired, from the product to the placed task',
  async (stage) => {
    const { page } = stage
    await stage.signIn()
    await page.getByRole('link', { name: texts.frame.places.tasking }).click()
    await button(page, /Medium resolution/).click()
    await pasteArea(page)
    const pass = page.locator('li[data-pass] button[aria-disabled=false]').first()
    await pass.click({ timeout: time_limits.work_ms })
    assert.equal(await pass.getAttribute('aria-pressed'), 'true')
    await page
      .getByText(/cancelled/)
      .first()
      .waitFor()
    const order = button(page, /^Order for [\d,]+ credits · A\$/)
    const sum = Number(/for ([\d,]+) credits/.exec((await order.textContent()) ?? '')?.[1]?.replaceAll(',', ''))
    const before = await stage.readAvailableCredits()
    await order.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(tasking.facts.cancel).waitFor()
    await dialog.getByRole('button', { name: /^Order for/ }).click()
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
    assert.ok(sum > 0)
    assert.equal(await stage.readAvailableCredits(), before - sum)
    // The imagery is still to be acquired: all of the area, at the chosen pass.
    await page.getByText(/^[1-9][\d,.]* km² · 100 %$/).waitFor()
    const acquisition = page.getByRole('region', { name: texts.orders.acquisitions.title })
    await acquisition.getByText(new RegExp(texts.orders.acquisitions.toCome)).first().waitFor()
  },
)

const price_credits = 1200

const decider = createWay('operations decides a quotation in the inbox', async (stage) => {
  const { page, url, person } = stage
  const client = createPersonClient(url, person)
  const displayName = `Harbour ${performance.now()}`
  const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]] // prettier-ignore
  const groups = [{ geometry: { type: 'Polygon', coordinates: [ring] } }] as never
  const { id: order_id } = await client.call('orders.tasking.place', { dataProduct: 'constellation:tasking-1m5', displayName, groups }) // prettier-ignore
  const { organizationId: organization_id } = await client.call('orders.get', { order_id })
  await client.call('admin.tasking.quotation_upload', { organization_id, order_id, creditsPrice: price_credits, reason: 'An offer.' }) // prettier-ignore
  const before = await stage.readAvailableCredits()
  await stage.signIn()
  await page.getByRole('link', { name: texts.frame.places.inbox }).click()
  const card = page.getByRole('region', { name: displayName })
  await card.getByText(inbox.kinds.quotation).waitFor()
  const accept = /^Accept for 1,200 credits/
  await card.getByRole('button', { name: accept }).click()
  await page.getByRole('dialog').getByRole('button', { name: accept }).click()
  await card.waitFor({ state: 'detached' })
  assert.equal(await stage.readAvailableCredits(), before - price_credits)
  const { content } = await client.call('orders.tasking.quotations.list', { orderId: order_id })
  assert.deepEqual(
    content.map(({ decision }) => decision),
    ['ACCEPTED'],
  )
})

const max_days = 30

const tester = createWay(
  'a developer moves the clock of a sandbox until an order is delivered',
  async ({ page, url, person, newPassword }) => {
    const owner = await createSandboxOwner(createPersonClient(url, person), `sand${Math.round(performance.now())}@example.com`) // prettier-ignore
    await createPersonClient(url, owner).call('projects.create', { name: 'Trials' })
    await page.goto(url)
    await signIn(page, owner)
    await replacePassword(page, newPassword)
    await waitForConsole(page)
    await page.getByRole('button', { name: sandbox.playMoney }).waitFor()
    await chooseFirstScene(page)
    await buySelection(page)
    await page.getByText(texts.orders.states.CREATED).first().waitFor()
    await page.getByRole('button', { name: sandbox.playMoney }).click()
    const delivered = page.locator('main').getByText(texts.orders.states.FULFILLED).first()
    for (let days = 0; days < max_days && !(await delivered.isVisible()); days++) {
      await button(page, sandbox.steps.day).click()
      await page.getByText(/due times? passed/).waitFor()
    }
    await delivered.waitFor()
  },
)

/** The ways of new imagery and of a sandbox. */
export const taskingWays: readonly Way[] = [operations, decider, tester]
