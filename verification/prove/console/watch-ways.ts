import assert from 'node:assert/strict'
import { texts } from '../../../apps/console/src/texts.ts'
import { buyScenes, createPersonClient } from '../../console/sample-data.ts'
import { button, openNotifications } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { alerts, notifications, frame } = texts

/** The rule is written, tried on the items of the earlier ways, and fires on an item that is bought beside the browser. */
const watcher = createWay(
  'an analyst writes an alert rule, tries it on past items and acknowledges what it finds',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    const name = `Bright fields ${Math.round(performance.now())}`
    await stage.signIn()
    await page.getByRole('link', { name: frame.places.watch }).click()
    await page.getByRole('link', { name: alerts.rulesTab, exact: true }).click()
    await page.getByRole('link', { name: alerts.newRule }).click()
    await page.getByLabel(alerts.form.name, { exact: true }).fill(name)
    await page.getByLabel(alerts.form.what).selectOption({ label: alerts.form.ownFormula })
    await page.getByLabel(alerts.form.comparison).selectOption({ label: alerts.comparisons.gt })
    await page.getByLabel(alerts.form.threshold, { exact: true }).fill('0')
    await page.getByLabel(alerts.form.cooldown).fill('0')
    await button(page, alerts.form.create).click()
    await page.getByRole('heading', { name }).waitFor()
    await button(page, alerts.backtest.run).click()
    await page.getByText(/^Would have fired (once|[1-9]\d* times) in/).waitFor({ timeout: time_limits.work_ms })
    await page.getByLabel(alerts.test.item, { exact: true }).selectOption({ index: 1 })
    await page.getByText(/it would fire\./).waitFor()
    await page.goto(`${url}/watch`)
    const { features } = await client.call('catalog.search', { host_name: 'open', limit: 10 })
    await buyScenes(client, 'open', features.slice(-1), name)
    const card = page.getByRole('article', { name })
    await card.first().waitFor({ timeout: time_limits.work_ms })
    await card
      .first()
      .getByRole('img', { name: alerts.pictureOf(name, alerts.after) })
      .waitFor()
    await card
      .first()
      .getByRole('button', { name: new RegExp(`^${alerts.acknowledge}`) })
      .click()
    await card.waitFor({ state: 'detached' })
    const { alert_rules } = await client.call('alerts.rules.list', {})
    const rule_id = alert_rules.find((rule) => rule.name === name)!.id
    const { alert_events } = await client.call('alerts.events.list', { rule_id })
    assert.deepEqual(
      alert_events.map(({ acknowledged }) => acknowledged),
      [true],
    )
  },
)

/** A delivery is announced without a reload, opened, and its kind of notification is switched off. */
const informed = createWay(
  'a person is told of a delivery, opens it, and chooses to be told no more',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    await client.call('notifications.preferences.set', { kind: 'order.fulfilled', in_app: true })
    await client.call('notifications.mark_all_read', {})
    await stage.signIn()
    await page.getByRole('link', { name: frame.places.inbox }).click()
    await openNotifications(page)
    const { features } = await client.call('catalog.search', { host_name: 'open', limit: 10 })
    // Another order at each attempt: a delivery is announced once.
    const order_id = await buyScenes(client, 'open', features.slice(-2, -1), `told ${performance.now()}`)
    const told = page.locator(`li[data-unread] a[href*="${order_id}"]`)
    await told.waitFor({ timeout: time_limits.work_ms })
    await page.getByRole('link', { name: /Notifications \([1-9]/ }).waitFor()
    // The next address is opened as a new page, which would cut off the call.
    const [read] = await Promise.all([page.waitForResponse(/notifications\.mark_read/), told.click()])
    assert.equal(read.status(), 200)
    await page.waitForURL(new RegExp(`/orders/${order_id}`))
    await page.goto(`${url}/inbox/notifications`)
    const row = page.locator('li[data-kind]').filter({ has: page.locator(`a[href*="${order_id}"]`) })
    await row.waitFor()
    assert.equal(await row.getAttribute('data-unread'), null, 'it was read by opening it')
    await row.getByRole('button', { name: new RegExp(`^${notifications.dismiss}`) }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: notifications.preferencesTab }).click()
    const kind = page.getByRole('group', { name: 'An order was delivered.' })
    const [saved] = await Promise.all([
      page.waitForResponse(/notifications\.preferences\.set/),
      kind.getByLabel(notifications.preferences.inApp).uncheck(),
    ])
    assert.equal(saved.status(), 200)
    const { preferences } = await client.call('notifications.preferences.get', {})
    assert.equal(preferences.find((preference) => preference.kind === 'order.fulfilled')?.in_app, false)
  },
)

export const watchWays: readonly Way[] = [watcher, informed]
