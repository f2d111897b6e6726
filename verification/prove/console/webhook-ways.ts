import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { buyScenes, createPersonClient } from '../../console/sample-data.ts'
import { button } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { build, frame, webhooks } = texts

/** Creates a webhook for new orders in the console, and returns its secret, which is shown once. */
async function createWebhook(page: Page, endpoint: string): Promise<string> {
  await page.getByRole('link', { name: frame.places.build, exact: true }).click()
  await page.getByRole('navigation', { name: build.tabs }).getByRole('link', { name: webhooks.title }).click()
  await button(page, webhooks.new).click()
  await page.locator('label').filter({ hasText: 'order.created' }).getByRole('checkbox').check()
  await page.getByLabel(webhooks.url, { exact: true }).fill(endpoint)
  await button(page, webhooks.create).click()
  await page.getByText(webhooks.secret).waitFor()
  const secret = await page.locator('main code').first().textContent()
  await button(page, webhooks.done).click()
  await page.getByRole('link').filter({ hasText: endpoint }).click()
  return secret!
}

/** The endpoint refuses the first delivery, and accepts it when it is sent again. */
const redeliverer = createWay(
  'a developer finds a failed delivery in the log of a webhook, and sends it again',
  async (stage) => {
    const { page, url, person, receiver } = stage
    const client = createPersonClient(url, person)
    const path = `/orders-${Math.round(performance.now())}`
    receiver.respond(path, (response, _request, count) => void response.writeHead(count === 1 ? 500 : 200).end())
    await stage.signIn()
    await createWebhook(page, `${receiver.origin}${path}`)
    const { features } = await client.call('catalog.search', { host_name: 'open', limit: 1 })
    await buyScenes(client, 'open', features, path)
    const delivery = page.locator('main li details')
    await delivery.getByText(webhooks.deliveryStates.dead, { exact: true }).waitFor({ timeout: time_limits.work_ms })
    await delivery.locator('summary').click()
    await delivery.getByText(/^500 after/).waitFor()
    await delivery.getByRole('button', { name: webhooks.redeliver }).click()
    await delivery
      .getByText(webhooks.deliveryStates.succeeded, { exact: true })
      .waitFor({ timeout: time_limits.work_ms })
    const ids = receiver.to(path).map(({ headers }) => headers['webhook-id'])
    assert.deepEqual(ids, [ids[0], ids[0]], 'the same event was sent twice')
    await button(page, webhooks.remove).click()
    await page.getByRole('dialog').getByRole('button', { name: webhooks.remove, exact: true }).click()
    await page.getByRole('link').filter({ hasText: path }).waitFor({ state: 'detached' })
  },
)

/** Servers with the old secret refuse deliveries after the change, so the console asks before it. */
const rotator = createWay('a developer is asked before the secret of a webhook is replaced', async (stage) => {
  const { page, receiver } = stage
  await stage.signIn()
  const secret = await createWebhook(page, `${receiver.origin}/rotated-${Math.round(performance.now())}`)
  const rotate = button(page, webhooks.rotate)
  await rotate.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(webhooks.rotateText).waitFor()
  await dialog.getByRole('button', { name: webhooks.keep }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.getByText(webhooks.secret).count(), 0, 'nothing was replaced')
  await rotate.click()
  await dialog.getByRole('button', { name: webhooks.rotate, exact: true }).click()
  await page.getByText(webhooks.secret).waitFor()
  const next = await page.locator('main code').first().textContent()
  assert.ok(next && next !== secret, 'another secret is shown')
  await button(page, webhooks.done).click()
  await button(page, webhooks.remove).click()
  await dialog.getByRole('button', { name: webhooks.remove, exact: true }).click()
})

/** No server can be reached from a laptop, so the test inbox of the platform stores the deliveries. */
const inboxUser = createWay(
  'a developer tries a webhook with the test inbox, and checks the signature of what it got',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    await stage.signIn()
    await page.goto(`${url}/build/webhooks`)
    await button(page, webhooks.new).click()
    await button(page, webhooks.targets.inbox).click()
    await page.locator('label').filter({ hasText: 'order.created' }).getByRole('checkbox').check()
    await button(page, webhooks.create).click()
    await page.getByText(webhooks.secret).waitFor()
    const secret = (await page.locator('main code').first().textContent())!
    await button(page, webhooks.done).click()
    await page.getByRole('link').filter({ hasText: webhooks.inbox }).first().click()
    const { features } = await client.call('catalog.search', { host_name: 'open', limit: 1 })
    await buyScenes(client, 'open', features, `inbox-${Math.round(performance.now())}`)
    const delivery = page.locator('main li details')
    await delivery
      .getByText(webhooks.deliveryStates.succeeded, { exact: true })
      .first()
      .waitFor({ timeout: time_limits.work_ms })
    await delivery.locator('summary').first().click()
    await delivery.getByText(/^webhook-signature: v1,/m).waitFor()
    await checkSignature(page, `${secret.slice(0, -4)}AAA=`, webhooks.received.invalid)
    await checkSignature(page, secret, webhooks.received.valid)
    await button(page, webhooks.remove).click()
    await page.getByRole('dialog').getByRole('button', { name: webhooks.remove, exact: true }).click()
    await page.waitForURL(/\/build\/webhooks$|\/build\/webhooks\?/)
  },
)

async function checkSignature(page: Page, secret: string, expected: string): Promise<void> {
  await page.getByLabel(webhooks.received.secret, { exact: true }).fill(secret)
  await button(page, webhooks.received.check).click()
  await page.getByText(expected, { exact: true }).waitFor()
}

export const webhookWays: readonly Way[] = [redeliverer, rotator, inboxUser]
