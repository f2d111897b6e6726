import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { createOrganizationClocks } from '../../src/platform/clock.ts'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { updateBillingPlan } from '../billing-helpers.ts'
import { findCaptures, waitForOrder } from '../orders.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { administratorCredentials, startTestApp, immediateRetries, type TestApp } from '../test-app.ts'

let clock_offset_ms = 0
const clock = createOrganizationClocks({ now: () => new Date(Date.now() + clock_offset_ms) })

let app: TestApp
before(async () => {
  const environment = {
    SELLER_NAME: 'Swath Imagery Pty Ltd',
    SELLER_ABN: '51 824 753 556',
    SELLER_ADDRESS: '120 Collins Street; Melbourne VIC 3000',
  }
  app = await startTestApp({ clock, environment, background: immediateRetries })
})
after(() => app?.close())

/** Moves the clock to one minute after the start of the next month. */
function advanceToNextMonth(): void {
  const now = clock.now()
  clock_offset_ms += Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 0, 1) - now.getTime()
}

interface ScenePrice {
  readonly credits: number
  readonly rate_credits: number
  readonly list_rate_credits?: number
  readonly commitment_id?: string
}

test('an enterprise orders at its negotiated rate, gets a PDF invoice, is blocked when overdue and unblocked when it pays', async () => {
  const org = await createTestOrganization(app, 0)
  const { organization } = org
  await updateBillingPlan(app, organization, 'enterprise')
  // Tokens expire when the clock moves, so clients sign in again.
  const customerClient = () => app.createClientFor(org.owner.email, org.owner.password)
  const operatorClient = () => app.createClientFor(administratorCredentials.username, administratorCredentials.password)
  const findFirstScene = async () => {
    const { features } = await customerClient().call<{ features: { id: string; 'service:price': ScenePrice }[] }>(
      'catalog.search',
      { host_name: 'commercial', limit: 1 },
    )
    return features[0]!
  }
  const listedScene = await findFirstScene()
  const { product, rate_credits } = listedScene['service:price'] as ScenePrice & { product: string }
  const { commitment } = await operatorClient().call<{ commitment: { id: string } }>('admin.commitments.create', {
    organization_id: organization,
    name: 'Frame 2026',
    period_start: clock.now().toISOString(),
    period_end: new Date(clock.now().getTime() + 365 * day_ms).toISOString(),
    committed_aud: 100_000,
    products: [{ product, negotiated_rate_aud: '0.8125' }],
  })
  const offeredPrice = (await findFirstScene())['service:price']
  assert.deepEqual(
    [offeredPrice.rate_credits, offeredPrice.list_rate_credits, offeredPrice.commitment_id],
    [81.25, rate_credits, commitment.id],
  )
  // The operator belongs to another organization, which pays the list rate.
  const operatorSearch = await operatorClient().call<{ features: { 'service:price': ScenePrice }[] }>(
    'catalog.search',
    {
      host_name: 'commercial',
      limit: 1,
    },
  )
  assert.equal(operatorSearch.features[0]!['service:price'].rate_credits, rate_credits)

  const captures = await findCaptures(customerClient(), 'commercial', [listedScene.id])
  const order = await customerClient().call<{ id: string; billingMode: string; totalCredits: number }>(
    'orders.archive.place',
    { captures },
  )
  assert.deepEqual([order.billingMode, order.totalCredits], ['enterprise', offeredPrice.credits])
  await waitForOrder(customerClient(), order.id, 'FULFILLED')

  advanceToNextMonth()
  const runInput = { organization_id: organization }
  const outcome = await customerClient().call<{ invoice_id: string; already_done: boolean }>(
    'billing.run_monthly_for_org',
    runInput,
  )
  assert.equal(outcome.already_done, false)
  const { invoices } = await customerClient().call<{ invoices: { id: string; total_aud: number; lines: object[] }[] }>(
    'billing.invoices.list',
    {},
  )
  assert.deepEqual(
    invoices.map(({ id, total_aud }) => [id, total_aud]),
    [[outcome.invoice_id, order.totalCredits / 100]],
  )

  const postResponse = await customerClient().fetch('/v1/op/billing.invoices.download', {
    method: 'POST',
    body: JSON.stringify({ invoice_id: outcome.invoice_id }),
  })
  const getResponse = await customerClient().fetch(`/v1/billing/invoices/download?invoice_id=${outcome.invoice_id}`)
  const files = await Promise.all(
    [postResponse, getResponse].map(async (response) => Buffer.from(await response.arrayBuffer())),
  )
  assert.equal(postResponse.headers.get('content-type'), 'application/pdf')
  assert.equal(postResponse.headers.get('content-disposition'), 'attachment; filename="PLAY-IN-000001.pdf"')
  assert.ok(files[0]!.equals(files[1]!) && files[0]!.subarray(0, 5).toString() === '%PDF-')

  const { features } = await customerClient().call<{
    features: { item_id: string; assets: Record<string, { id: string }> }[]
  }>('orders.list_assets', { order_id: order.id })
  const asset = { item_id: features[0]!.item_id, asset_id: features[0]!.assets['data']!.id }
  await customerClient().call('items.asset.download', asset)
  clock_offset_ms += 31 * day_ms
  await assert.rejects(
    customerClient().call('items.asset.download', asset),
    (error) => error instanceof ApiProblem && error.status === 402 && error.problem === 'past-due',
  )
  const paidInvoice = { organization_id: organization, invoice_id: outcome.invoice_id }
  await operatorClient().call('admin.invoices.mark_paid', paidInvoice)
  await customerClient().call('items.asset.download', asset)
  await assertLedgerConsistent(app)
})
