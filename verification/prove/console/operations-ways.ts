import assert from 'node:assert/strict'
import { createClient } from '@swath/client/client.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { button } from './steps.ts'
import { time_limits, createWay, type Way } from './stage.ts'

const { reports, audit, admin, money, team, build, frame, ui } = texts

/** The report is downloaded, and the audit trail has its call. */
const reporter = createWay(
  'a buyer generates a report, downloads the PDF and finds the call in the audit trail',
  async (stage) => {
    const { page, url } = stage
    const name = `Spending ${Math.round(performance.now())}`
    await stage.signIn()
    await page.getByRole('link', { name: frame.places.money, exact: true }).click()
    await page.getByRole('navigation', { name: money.tabs }).getByRole('link', { name: reports.title }).click()
    await button(page, reports.create).click()
    await page.getByLabel(reports.name, { exact: true }).fill(name)
    await button(page, reports.submit.once).click()
    const wanted = page.getByRole('button', { name: new RegExp(`^${reports.formatNames.pdf}, .*: ${name}$`) })
    await wanted.waitFor({ timeout: time_limits.work_ms })
    const [download] = await Promise.all([page.waitForEvent('download'), wanted.click()])
    assert.match(download.suggestedFilename(), /\.pdf$/)
    await page.goto(`${url}/build`)
    await page.getByRole('navigation', { name: build.tabs }).getByRole('link', { name: audit.title }).click()
    await page.locator('summary').getByText(audit.filters, { exact: true }).click()
    await page.getByLabel(audit.operation, { exact: true }).fill('reports.')
    await button(page, audit.apply).click()
    await page.getByRole('row').filter({ hasText: 'reports.create' }).first().waitFor()
  },
)

/** An act of an operator needs a reason, and reports its effect. */
const operator = createWay('an operator suspends an organization with a reason, and resumes it', async (stage) => {
  const { page, url, person } = stage
  const client = createPersonClient(url, person)
  const name = `Tenant ${Math.round(performance.now())}`
  await client.call('organizations.create', { name })
  await stage.signIn()
  await page.getByRole('link', { name: frame.places.admin, exact: true }).click()
  await page.getByLabel(admin.search, { exact: true }).fill(name)
  const row = page.getByRole('article').filter({ hasText: name })
  await row.getByRole('button', { name: admin.labelOf(admin.suspend, name) }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: admin.suspend, exact: true }).isDisabled(), 'without a reason')
  await dialog.getByLabel(admin.reason, { exact: true }).fill('unpaid since May')
  await dialog.getByRole('button', { name: admin.suspend, exact: true }).click()
  await row.getByText(admin.statuses.suspended).waitFor()
  await row.getByText('unpaid since May').waitFor()
  await row.getByRole('button', { name: admin.labelOf(admin.resume, name) }).click()
  await dialog.getByLabel(admin.reason, { exact: true }).fill('paid')
  await dialog.getByRole('button', { name: admin.resume, exact: true }).click()
  await row.getByText(admin.statuses.active).waitFor()
})

/** The search is answered while the dialog is open: the row with the dialog must not leave the page meanwhile. */
const searchingOperator = createWay(
  'an operator opens a dialog while the list is read again, and reads as the user of its row',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    const email = `reader${Math.round(performance.now())}@example.com`
    await client.call('organizations.members.add', { email, name: 'Rea Reader' })
    const { organization } = await client.call('users.me', {})
    const support = { organization_id: organization!.id, reason: 'a question of theirs' }
    const { id: access_id } = await client.call<{ id: string }>('admin.support_access.request', support)
    await client.call('organizations.support_access.grant', { access_id })
    await stage.signIn()
    await page.goto(`${url}/admin/people`)
    const row = page.getByRole('article').filter({ hasText: email })
    await row.waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/op/admin.users.list', async (route) => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/v1/op/admin.users.list')
    await page.getByLabel(admin.email, { exact: true }).fill(email)
    await asked
    await page.locator('main').getByRole('status', { name: ui.loading }).first().waitFor()
    await row.getByRole('button', { name: admin.labelOf(admin.impersonate, email) }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(admin.reason, { exact: true }).fill('a question of theirs')
    held.resolve()
    await page.locator('main').getByRole('status', { name: ui.loading }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('article').count(), 1, 'the answer of the search has arrived')
    await dialog.getByRole('button', { name: admin.impersonate, exact: true }).click()
    await row.getByRole('button', { name: admin.copyToken }).click()
    const token = String(await page.evaluate('navigator.clipboard.readText()'))
    const me = await createClient({ baseUrl: url, token }).call('users.me', {})
    assert.equal(me.user?.email, email)
    await row.getByRole('button', { name: admin.done }).click()
    await row.getByRole('button', { name: admin.copyToken }).waitFor({ state: 'detached' })
  },
)

/** A version that changes the price waits for another operator: the one who requested it can only take it back. */
const productOperator = createWay(
  'an operator requests a version of a data product, cannot approve it, and takes it back',
  async (stage) => {
    const { page, url } = stage
    const { productVersions: products, versions } = admin
    const reason = `A larger minimum ${Math.round(performance.now())}`
    await stage.signIn()
    await page.goto(`${url}/admin/prices`)
    await page.getByRole('navigation', { name: admin.tabs }).getByRole('link', { name: admin.products }).click()
    await page.getByLabel(products.product, { exact: true }).selectOption('constellation:tasking-10m')
    await page.getByLabel(products.minimumInput, { exact: true }).fill('40')
    await page.getByLabel(versions.effective, { exact: true }).fill('2099-01-01T00:00')
    await page.getByLabel(admin.reason, { exact: true }).fill(reason)
    await button(page, admin.submit).click()
    const row = page.getByRole('article').filter({ hasText: reason })
    await row.getByText(admin.requestStatuses.pending).waitFor()
    await row.getByText(versions.minimumOf(40)).waitFor()
    assert.equal(await row.getByRole('button', { name: admin.approve }).count(), 0, 'an approval of its own request')
    await row.getByRole('button', { name: admin.reject }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(admin.reason, { exact: true }).fill('A mistake.')
    await dialog.getByRole('button', { name: admin.reject, exact: true }).click()
    await row.getByText(admin.requestStatuses.rejected).waitFor()
  },
)

/** An organization is chosen and shown by its name, and a product is one that exists. */
const priceOperator = createWay(
  'an operator requests an adjustment and a list price: the organization is named, and the product is chosen',
  async (stage) => {
    const { page, url, person } = stage
    const client = createPersonClient(url, person)
    const mark = Math.round(performance.now())
    const [name, reason] = [`Client ${mark}`, `A reason ${mark}`]
    const { id: organization_id } = await client.call('organizations.create', { name })
    await stage.signIn()
    await page.goto(`${url}/admin/adjustments`)
    await page.getByLabel(admin.organization, { exact: true }).fill(name)
    await page.getByLabel(admin.credits, { exact: true }).fill('700')
    await page.getByLabel(admin.reason, { exact: true }).fill(reason)
    await button(page, admin.submit).click()
    const adjustment = page.getByRole('article').filter({ hasText: reason })
    await adjustment.getByText(name).waitFor()
    const place = (await page.getByRole('link', { name: frame.places.admin, exact: true }).boundingBox())!
    assert.ok(place.x >= 0 && place.x + place.width <= page.viewportSize()!.width, 'its place is in view')
    assert.equal(await adjustment.getByText(organization_id).count(), 0, 'its id')
    await page.getByRole('navigation', { name: admin.tabs }).getByRole('link', { name: admin.prices }).click()
    await page.getByLabel(admin.rates.product, { exact: true }).selectOption('Tasking, 1.5 m')
    await page.getByLabel(admin.rates.rateInput, { exact: true }).fill('31.5')
    await page.getByLabel(admin.versions.effective, { exact: true }).fill('2099-01-01T00:00')
    await page.getByLabel(admin.reason, { exact: true }).fill(reason)
    await button(page, admin.submit).click()
    const row = page.getByRole('article').filter({ hasText: reason })
    await row.getByText(/^Tasking, 1.5 m, version \d+$/).waitFor()
    await row.getByText(admin.requestStatuses.pending).waitFor()
  },
)

/** Nothing ends before the date, so that the decision can be taken back. */
const closingOwner = createWay('an owner closes the organization, sees its date, and keeps it', async (stage) => {
  const { page, url, person } = stage
  const client = createPersonClient(url, person)
  const { organization } = await client.call('users.me', {})
  const { closing } = team
  await stage.signIn()
  await page.goto(`${url}/team/organization`)
  await page.getByRole('button', { name: closing.closeLabel(organization!.name) }).click()
  await page.getByRole('dialog').getByRole('button', { name: closing.close, exact: true }).click()
  await page.getByText(closing.until).waitFor()
  const { organization: closed } = await client.call('users.me', {})
  assert.ok(closed!.delete_at !== null, 'the organization has a date')
  await button(page, closing.keep).click()
  await page.getByRole('button', { name: closing.closeLabel(organization!.name) }).waitFor()
  const { organization: kept } = await client.call('users.me', {})
  assert.equal(kept!.delete_at, null)
})

/** Reports, the audit trail, what operators do, and the end of an organization. */
export const operationsWays: readonly Way[] = [
  reporter,
  operator,
  searchingOperator,
  productOperator,
  priceOperator,
  closingOwner,
]
