import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { openClocks } from '../../src/platform/clock.ts'
import { assertBooks } from '../books.ts'
import { putOnPlan } from '../house-money.ts'
import { capturesOf, waitForOrder } from '../orders.ts'
import { makeOrganization } from '../people.ts'
import { administrator, bootHouse, hurried, type TestHouse } from '../setup.ts'

const day_ms = 86_400_000

let ahead_ms = 0
const clock = openClocks({ now: () => new Date(Date.now() + ahead_ms) })

let house: TestHouse
before(async () => {
  const environment = {
    SELLER_NAME: 'Swath Imagery Pty Ltd',
    SELLER_ABN: '51 824 753 556',
    SELLER_ADDRESS: '120 Collins Street; Melbourne VIC 3000',
  }
  house = await bootHouse({ clock, environment, background: hurried })
})
after(() => house?.close())

/** Moves the clock to one minute after the start of the next month. */
function endTheMonth(): void {
  const now = clock.now()
  ahead_ms += Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 0, 1) - now.getTime()
}

interface Priced {
  readonly credits: number
  readonly rate_credits: number
  readonly list_rate_credits?: number
  readonly commitment_id?: string
}

test('an enterprise orders at its negotiated rate, gets a PDF invoice, is blocked when overdue and unblocked when it pays', async () => {
  const made = await makeOrganization(house, 0)
  const { organization } = made
  await putOnPlan(house, organization, 'enterprise')
  // Tokens expire when the clock moves, so clients sign in again.
  const customer = () => house.signedIn(made.owner.email, made.owner.password)
  const operator = () => house.signedIn(administrator.username, administrator.password)
  const search = async () => {
    const { features } = await customer().call<{ features: { id: string; 'service:price': Priced }[] }>(
      'catalog.search',
      { host_name: 'commercial', limit: 1 },
    )
    return features[0]!
  }
  const listed = await search()
  const { product, rate_credits } = listed['service:price'] as Priced & { product: string }
  const { commitment } = await operator().call<{ commitment: { id: string } }>('admin.commitments.create', {
    organization_id: organization,
    name: 'Frame 2026',
    period_start: clock.now().toISOString(),
    period_end: new Date(clock.now().getTime() + 365 * day_ms).toISOString(),
    committed_aud: 100_000,
    products: [{ product, negotiated_rate_aud: '0.8125' }],
  })
  const offered = (await search())['service:price']
  assert.deepEqual(
    [offered.rate_credits, offered.list_rate_credits, offered.commitment_id],
    [81.25, rate_credits, commitment.id],
  )
  // The operator belongs to another organization, which pays the list rate.
  const theirs = await operator().call<{ features: { 'service:price': Priced }[] }>('catalog.search', {
    host_name: 'commercial',
    limit: 1,
  })
  assert.equal(theirs.features[0]!['service:price'].rate_credits, rate_credits)

  const captures = await capturesOf(customer(), 'commercial', [listed.id])
  const placed = await customer().call<{ id: string; billingMode: string; totalCredits: number }>(
    'orders.archive.place',
    { captures },
  )
  assert.deepEqual([placed.billingMode, placed.totalCredits], ['enterprise', offered.credits])
  await waitForOrder(customer(), placed.id, 'FULFILLED')

  endTheMonth()
  const run = { organization_id: organization }
  const outcome = await customer().call<{ invoice_id: string; already_done: boolean }>(
    'billing.run_monthly_for_org',
    run,
  )
  assert.equal(outcome.already_done, false)
  const { invoices } = await customer().call<{ invoices: { id: string; total_aud: number; lines: object[] }[] }>(
    'billing.invoices.list',
    {},
  )
  assert.deepEqual(
    invoices.map(({ id, total_aud }) => [id, total_aud]),
    [[outcome.invoice_id, placed.totalCredits / 100]],
  )

  const posted = await customer().fetch('/v1/op/billing.invoices.download', {
    method: 'POST',
    body: JSON.stringify({ invoice_id: outcome.invoice_id }),
  })
  const got = await customer().fetch(`/v1/billing/invoices/download?invoice_id=${outcome.invoice_id}`)
  const files = await Promise.all([posted, got].map(async (response) => Buffer.from(await response.arrayBuffer())))
  assert.equal(posted.headers.get('content-type'), 'application/pdf')
  assert.equal(posted.headers.get('content-disposition'), 'attachment; filename="INV-000001.pdf"')
  assert.ok(files[0]!.equals(files[1]!) && files[0]!.subarray(0, 5).toString() === '%PDF-')

  const { features } = await customer().call<{
    features: { item_id: string; assets: Record<string, { id: string }> }[]
  }>('orders.list_assets', { order_id: placed.id })
  const asset = { item_id: features[0]!.item_id, asset_id: features[0]!.assets['data']!.id }
  await customer().call('items.asset.download', asset)
  ahead_ms += 31 * day_ms
  await assert.rejects(
    customer().call('items.asset.download', asset),
    (error) => error instanceof ApiProblem && error.status === 402 && error.problem === 'past-due',
  )
  const paid = { organization_id: organization, invoice_id: outcome.invoice_id }
  await operator().call('admin.invoices.mark_paid', paid)
  await customer().call('items.asset.download', asset)
  await assertBooks(house)
})
