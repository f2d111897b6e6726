import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHoldings, type Holdings } from '../../../../test/holdings.ts'
import { ask, payingOrganization } from '../../../../test/paying.ts'
import { openNews, type ProcessorNews } from '../../../../test/processor-news.ts'
import { openBench, type Bench } from '../../../../test/work.ts'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'

let holdings: Holdings
let bench: Bench
let news: ProcessorNews
before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
  news = openNews(holdings, bench)
})
after(() => holdings?.close())

/** Delivers all pending events of the processor twice and in reverse order. */
async function listen(): Promise<void> {
  const told = await news.collect()
  await news.tell([...told, ...told].toReversed())
}

interface Saved {
  readonly id: string
  readonly payment_method_id: string
  readonly exp_month: number
  readonly exp_year: number
  readonly isDefault: boolean
}

const cardsOf = async (call: Call): Promise<readonly Saved[]> =>
  (await ask<{ payment_methods: readonly Saved[] }>(call, 'payment_methods.list')).payment_methods

const warningsOf = async ({ db, organization }: Call): Promise<readonly Date[]> =>
  (
    await db.query<{ due_at: Date }>(sql`
      select due_at from billing_deadlines where organization_id = ${organization} and kind = 'card-warning'`)
  ).map(({ due_at }) => due_at)

test('a card detached at the processor is detached once and no longer charged', async () => {
  const { owner, events } = await payingOrganization(holdings, bench)
  await ask(owner, 'billing.set_auto_topup', {
    enabled: true,
    threshold_credits: 100,
    topup_amount_credits: 1000,
    daily_charge_cap_aud: 50,
  })
  const [card] = await cardsOf(owner)
  await holdings.payments.detach(card!.payment_method_id)
  await listen()
  await listen()
  assert.deepEqual([await cardsOf(owner), await warningsOf(owner)], [[], []])
  assert.equal((await events()).filter((kind) => kind === 'payment_method.detached').length, 1)
  await assert.rejects(ask(owner, 'billing.topup', { credits: 1000 }), { status: 402 })
})

test('a card renewed by its bank gets the new expiry date, and the expiry warning moves', async () => {
  const { owner, events } = await payingOrganization(holdings, bench)
  const [card] = await cardsOf(owner)
  const [before] = await warningsOf(owner)
  const end = { exp_month: card!.exp_month, exp_year: card!.exp_year + 4 }
  await holdings.payments.renewCard(card!.payment_method_id, end)
  await listen()
  assert.deepEqual(await cardsOf(owner), [{ ...card, ...end }])
  const [after] = await warningsOf(owner)
  assert.equal(after!.getUTCFullYear() - before!.getUTCFullYear(), 4)
  assert.deepEqual(await events(), ['payment_method.attached'])
})

test('events of unknown cards and of cards detached by this server change nothing', async () => {
  const { owner, events, card, attach } = await payingOrganization(holdings, bench)
  const stranger = await holdings.payments.createCustomer(
    { organization_id: owner.organization, name: 'Elsewhere', email: null },
    'elsewhere',
  )
  const other = await holdings.payments.attach(stranger.id, 'pm_card_good')
  await holdings.payments.detach(other.id)
  await attach('pm_card_3ds')
  await ask(owner, 'payment_methods.detach', { payment_method_row_id: card! })
  const said = await events()
  await listen()
  assert.deepEqual(await events(), said)
  assert.deepEqual((await cardsOf(owner)).length, 1)
})
