import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { callOperation, createPayingOrganization } from '../../../test/payment-fixtures.ts'
import { createWebhookFixture, type WebhookFixture } from '../../../test/webhook-fixtures.ts'
import { createTaskRunner, type TaskRunner } from '../../../test/task-runner.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'

let holdings: TestServices
let bench: TaskRunner
let news: WebhookFixture
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
  news = createWebhookFixture(holdings, bench)
})
after(() => holdings?.close())

/** Delivers all pending events of the processor twice and in reverse order. */
async function deliverEvents(): Promise<void> {
  const collected = await news.collectEvents()
  await news.deliverEvents([...collected, ...collected].toReversed())
}

interface SavedCard {
  readonly id: string
  readonly payment_method_id: string
  readonly exp_month: number
  readonly exp_year: number
  readonly isDefault: boolean
}

const cardsOf = async (call: Call): Promise<readonly SavedCard[]> =>
  (await callOperation<{ payment_methods: readonly SavedCard[] }>(call, 'payment_methods.list')).payment_methods

const warningsOf = async ({ db, organization }: Call): Promise<readonly Date[]> =>
  (
    await db.query<{ due_at: Date }>(sql`
      select due_at from billing_deadlines where organization_id = ${organization} and kind = 'card-warning'`)
  ).map(({ due_at }) => due_at)

test('a card detached at the processor is detached once and no longer charged', async () => {
  const { owner, events } = await createPayingOrganization(holdings, bench)
  await callOperation(owner, 'billing.set_auto_topup', {
    enabled: true,
    threshold_credits: 100,
    topup_amount_credits: 1000,
    daily_charge_cap_aud: 50,
  })
  const [card] = await cardsOf(owner)
  await holdings.payments.detach(card!.payment_method_id)
  await deliverEvents()
  await deliverEvents()
  assert.deepEqual([await cardsOf(owner), await warningsOf(owner)], [[], []])
  assert.equal((await events()).filter((kind) => kind === 'payment_method.detached').length, 1)
  await assert.rejects(callOperation(owner, 'billing.topup', { credits: 1000 }), { status: 402 })
})

test('a card renewed by its bank gets the new expiry date, and the expiry warning moves', async () => {
  const { owner, events } = await createPayingOrganization(holdings, bench)
  const [card] = await cardsOf(owner)
  const [before] = await warningsOf(owner)
  const end = { exp_month: card!.exp_month, exp_year: card!.exp_year + 4 }
  await holdings.payments.renewCard(card!.payment_method_id, end)
  await deliverEvents()
  assert.deepEqual(await cardsOf(owner), [{ ...card, ...end }])
  const [after] = await warningsOf(owner)
  assert.equal(after!.getUTCFullYear() - before!.getUTCFullYear(), 4)
  assert.deepEqual(await events(), ['payment_method.attached'])
})

test('events of unknown cards and of cards detached by this server change nothing', async () => {
  const { owner, events, card, attachCard } = await createPayingOrganization(holdings, bench)
  const stranger = await holdings.payments.createCustomer(
    { organization_id: owner.organization, name: 'Elsewhere', email: null },
    'elsewhere',
  )
  const other = await holdings.payments.attach(stranger.id, 'pm_card_good')
  await holdings.payments.detach(other.id)
  await attachCard('pm_card_3ds')
  await callOperation(owner, 'payment_methods.detach', { payment_method_row_id: card! })
  const eventsBefore = await events()
  await deliverEvents()
  assert.deepEqual(await events(), eventsBefore)
  assert.deepEqual((await cardsOf(owner)).length, 1)
})
