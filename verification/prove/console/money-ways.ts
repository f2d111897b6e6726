import assert from 'node:assert/strict'
import { createClient } from '@swath/client/client.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { button } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { money, frame, team } = texts

/** Caps, approvals and invoices, with a card that asks nothing. */
const treasurer = createWay(
  'an administrator limits what a member spends, approves the credits that the member asks for, and keeps the receipt',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    const mark = Math.round(performance.now())
    const member = { email: `buyer${mark}@example.com`, name: `Bea Buyer ${mark}` }
    const { one_time_password: password } = await client.call('organizations.members.add', { ...member })
    const { id: card } = await client.call('payment_methods.attach', { payment_method_id: 'pm_card_good' })
    await client.call('payment_methods.set_default', { payment_method_row_id: card! })
    await stage.signIn()
    await page.getByRole('link', { name: frame.places.team, exact: true }).click()
    const openTab = (name: string): Promise<void> =>
      page.getByRole('navigation', { name: money.tabs }).getByRole('link', { name, exact: true }).click()
    const row = page.getByRole('region', { name: member.name })
    await row.locator('summary').click()
    await row.getByLabel(team.limit, { exact: true }).fill('20000')
    await row.getByRole('button', { name: team.save }).click()
    await row.getByText(team.saved).waitFor()
    const colleague = createPersonClient(url, { email: member.email, password: password! })
    await colleague.call('billing.approvals.request', { credits: 25_000 })
    const before = await stage.readAvailableCredits()
    await page.getByRole('link', { name: frame.places.money, exact: true }).click()
    await openTab(money.approvals)
    const request = page.getByRole('region', { name: money.approval.title(member.name, '25,000 credits') })
    await request.getByRole('button', { name: money.approval.approve }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Buy 25,000 credits for A\$/ })
      .click()
    await request.getByText(money.approval.states.completed).waitFor({ timeout: time_limits.work_ms })
    assert.equal(await stage.readAvailableCredits(), before + 25_000)
    await openTab(money.invoices)
    const receipt = button(page, new RegExp(`^${money.invoice.formats.pdf} `)).first()
    const [download] = await Promise.all([page.waitForEvent('download'), receipt.click()])
    assert.match(download.suggestedFilename(), /\.pdf$/)
    const invoiceData = button(page, new RegExp(`^${money.invoice.formats.xml} `)).first()
    const [xml] = await Promise.all([page.waitForEvent('download'), invoiceData.click()])
    assert.match(xml.suggestedFilename(), /\.xml$/)
    await page.getByLabel(money.details.purchase_order_number).fill('PO-778')
    await button(page, money.save).click()
    await page.getByText(money.saved).waitFor()
  },
)

/** The delegations of a revoked key stop with it, and go on for the administrator who takes them over. */
const successor = createWay('an administrator takes over what a revoked key has created', async (stage) => {
  const { page, url, person } = stage
  const client = createPersonClient(url, person)
  const name = `key ${Math.round(performance.now())}`
  const { id: key_id, key } = await client.call('api_keys.create', { name, permissions: ['can_write'] })
  const subscription = { event_type: 'item.created', endpoint_url: 'https://1.1.1.1/hook', description: `by ${name}` }
  await createClient({ baseUrl: url, token: key }).call('event_subscriptions.create', subscription)
  await client.call('api_keys.revoke', { key_id })
  await stage.signIn()
  await page.goto(`${url}/team`)
  const { stopped } = team
  const row = page
    .getByRole('region', { name: stopped.heading })
    .getByRole('listitem')
    .filter({ hasText: subscription.description })
  await row.getByText(stopped.reasons.key_revoked).waitFor()
  await row.getByRole('button', { name: stopped.takeOverNamed(subscription.description) }).click()
  await page.getByRole('dialog').getByRole('button', { name: stopped.takeOver, exact: true }).click()
  await row.waitFor({ state: 'detached' })
  const { delegations } = await client.call('organizations.delegations.list', { stopped: false })
  const taken = delegations.find((delegation) => delegation.name === subscription.description)
  assert.deepEqual([taken?.stop_reason, taken?.api_key_id], [null, null])
})

/** Who is gone still has the former secret of a key, so that whoever takes it over gets another. */
const keeper = createWay(
  'an administrator takes over the API key of a disabled person, with a new secret',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    const name = `leaver ${Math.round(performance.now())}`
    const email = `${name.replace(' ', '')}@example.com`
    const { member, one_time_password } = await client.call('organizations.members.add', { email, name, role: 'admin' })
    const leaver = createPersonClient(url, { email, password: one_time_password! })
    const { key: former } = await leaver.call('api_keys.create', { name, permissions: ['can_read'] })
    await client.call('admin.users.disable', { user_id: member.user_id, reason: 'left the company' })
    await stage.signIn()
    await page.goto(`${url}/team`)
    const { stopped } = team
    await page.getByRole('button', { name: stopped.takeOverNamed(name) }).click()
    await page.getByRole('dialog').getByRole('button', { name: stopped.takeOver, exact: true }).click()
    await page.getByText(stopped.secret).waitFor()
    await stage.takePicture('taken-over-key')
    await button(page, stopped.copySecret).click()
    const secret = await page.evaluate<string>('navigator.clipboard.readText()')
    const { status } = await createClient({ baseUrl: url, token: former }).fetch('/v1/op/users.me', {
      method: 'POST',
      body: '{}',
    })
    assert.equal(status, 401, 'the former secret is not valid any more')
    await createClient({ baseUrl: url, token: secret }).call('users.me')
    await button(page, stopped.done).click()
    await page.getByText(stopped.secret).waitFor({ state: 'detached' })
  },
)

export const moneyWays: readonly Way[] = [treasurer, successor, keeper]
