import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { minute_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { archiveAgreement, archiveArea, archiveHost } from '../../console/own-archive.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { button, chooseFirstScene, openNotifications, placeOrder } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { cart, explore, frame, inbox, payments, watch } = texts

const exploreArchive = (url: string): string =>
  `${url}/explore?host=${archiveHost}&area=${encodeURIComponent(archiveArea)}`

/** Nobody of the organization has accepted the agreement afterwards: an earlier walk may have. */
async function withdrawAgreement(client: Client): Promise<void> {
  const { content } = await client.call('eulas.list', {})
  const { id, currentDocumentId, isAccepted } = content.find(({ title }) => title === archiveAgreement.title)!
  if (isAccepted)
    await client.call('eulas.document.accept', { eula_id: id, document_id: currentDocumentId!, is_accepted: false })
}

const licensee = createWay(
  'a buyer reads and accepts the licence agreement in the cart, and only then can buy',
  async ({ page, url, person, signIn }) => {
    const client = createPersonClient(url, person)
    await withdrawAgreement(client)
    await signIn()
    await page.goto(exploreArchive(url))
    await chooseFirstScene(page)
    await button(page, explore.addToCart).click()
    await page.getByRole('link', { name: new RegExp(explore.openCart) }).click()
    const buy = button(page, /^Buy 1 scene for [\d,]+ credits · A\$/)
    await buy.waitFor()
    await page.getByText(cart.acceptFirst).waitFor()
    assert.ok(await buy.isDisabled(), 'without the agreement nothing can be bought')
    await page.locator('summary').getByText(payments.agreementText).click()
    await page.getByText(archiveAgreement.text).waitFor()
    await page.getByLabel(payments.agreement(archiveAgreement.title, '1')).click()
    await page.getByText(payments.accepted).waitFor()
    await page.getByText(cart.acceptFirst).waitFor({ state: 'detached' })
    await buy.click()
    await placeOrder(page)
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
  },
)

const poll_ms = 500

/** Publishes a scene, and waits until the platform finds it: the archive lists its files now and then. */
async function publishScene(
  client: Client,
  publish: (id: string, acquired_at: Date) => Promise<void>,
  id: string,
): Promise<void> {
  // The first run of a search announces scenes that were acquired after it was saved, which is in a moment.
  await publish(id, new Date(Date.now() + 10 * minute_ms))
  for (let polls = 0; polls * poll_ms < time_limits.step_ms; polls++) {
    const { features } = await client.call('catalog.search', { host_name: archiveHost, ids: [id], limit: 1 })
    if (features.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, poll_ms))
  }
  throw new Error('the archive does not list the new scene')
}

/** From this width on the results are beside the filters. */
const min_wide_px = 720

/** Saves the search that Explore shows. */
async function saveSearch(page: Page, name: string): Promise<void> {
  // On small screens the button is below the filters, which are closed.
  if (page.viewportSize()!.width < min_wide_px) await page.locator('summary').getByText(explore.filters).click()
  await button(page, explore.save.button).click()
  await page.getByLabel(explore.save.name, { exact: true }).fill(name)
  const form = page.getByRole('form', { name: explore.save.button })
  await form.getByRole('button', { name: explore.save.submit, exact: true }).click()
  await page.getByText(explore.save.saved(name)).waitFor()
}

/** Creates a standing order that asks before it buys what the search finds. */
async function orderFindings(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: frame.places.watch }).click()
  await page.getByRole('link', { name: watch.tab, exact: true }).click()
  await button(page, watch.orderNamed(name)).click()
  await page.getByLabel(watch.sceneCap, { exact: true }).fill('2000')
  await page.getByLabel(watch.monthCap, { exact: true }).fill('10000')
  await button(page, watch.create).click()
  await page.getByRole('heading', { name: watch.standingOrder(name) }).waitFor()
}

const max_attempts = 5

/**
 * Saves a search and follows it, and returns its name. A standing order applies to scenes that the search finds after
 * it, and the first run of the search may begin at once: then another search is saved.
 */
async function followSearch(page: Page, url: string, client: Client): Promise<string> {
  for (let attempt = 0; attempt < max_attempts; attempt++) {
    const name = `Flights over the fields ${Math.round(performance.now())}`
    await page.goto(exploreArchive(url))
    await page.locator('li[data-scene]').first().waitFor()
    await saveSearch(page, name)
    await orderFindings(page, name)
    const { searches } = await client.call('catalog.search.list', {})
    if (searches.find((search) => search.name === name)!.last_matched_at === null) return name
    await deleteInConsole(page, url, name)
  }
  throw new Error(`the first run of the search was before its standing order ${max_attempts} times`)
}

const follower = createWay(
  'an analyst saves a search and follows it: is told of a new scene, is asked in the inbox, and orders it',
  async ({ page, url, person, signIn, archive }) => {
    const client = createPersonClient(url, person)
    const scene = `flight-${Math.round(performance.now())}`
    await signIn()
    await publishScene(client, archive.publish, scene)
    try {
      const name = await followSearch(page, url, client)
      await page.goto(`${url}/inbox`)
      await openNotifications(page)
      const told = page.locator('li[data-kind="saved_search.matched"]').getByRole('link', { name: new RegExp(name) })
      await told.waitFor({ timeout: time_limits.work_ms })
      await told.click()
      await page.waitForURL(/\/watch\/searches/)
      await button(page, watch.acceptNamed(scene)).waitFor({ timeout: time_limits.work_ms })
      await page.getByRole('link', { name: frame.places.inbox }).click()
      const proposal = page.getByRole('region', { name: inbox.proposal.title(name) })
      const order = proposal.getByRole('button', { name: watch.acceptNamed(scene) })
      await order.click()
      await page.getByRole('dialog').getByRole('button', { name: watch.accept, exact: true }).click()
      await order.waitFor({ state: 'detached' })
      const order_id = await findOrderOfScene(client, name, scene)
      await page.getByRole('link', { name: frame.places.orders, exact: true }).click()
      const row = page.locator(`main a[href*="${order_id}"]`)
      await row.getByText(texts.orders.states.FULFILLED).waitFor({ timeout: time_limits.work_ms })
      await deleteInConsole(page, url, name)
      const { standing_orders } = await client.call('orders.standing.list', {})
      assert.ok(!standing_orders.some((one) => one.name === name), 'it was deleted')
    } finally {
      await archive.withdraw(scene)
    }
  },
)

async function findOrderOfScene(client: Client, name: string, scene: string): Promise<string> {
  const { standing_orders } = await client.call('orders.standing.list', {})
  const { id: standing_order_id } = standing_orders.find((order) => order.name === name)!
  const { scenes } = await client.call('orders.standing.scenes.list', { standing_order_id, status: 'ordered' })
  const { order_id } = scenes.find(({ scene_id }) => scene_id === scene)!
  assert.ok(order_id, 'the scene was ordered')
  return order_id
}

/** The standing order, then the search that it follows. */
async function deleteInConsole(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/watch/searches`)
  const remove = button(page, watch.removeNamed(name))
  for (const left of [1, 0]) {
    await remove.nth(left).waitFor()
    await remove.first().click()
    await page.getByRole('dialog').getByRole('button', { name: watch.remove, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await remove.nth(left).waitFor({ state: 'detached' })
  }
}

export const archiveWays: readonly Way[] = [licensee, follower]
