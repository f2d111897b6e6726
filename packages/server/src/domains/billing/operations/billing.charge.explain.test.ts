import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { expireHold, placeCreditHold, releaseHold, settleHold, type HoldChargeLine } from '../../ledger/holds.ts'
import { grantCredits } from '../../ledger/ledger.ts'
import { handler } from './billing.charge.explain.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const explanationValidator = Compile(ChargeExplanation)
const at = '2026-03-01T00:00:00.000Z'

async function requestExplanation(call: Call, input: object): Promise<ChargeExplanation> {
  const answer = (await handler.handle(call, input as never)) as ChargeExplanation
  assert.ok(explanationValidator.Check(answer), JSON.stringify([...explanationValidator.Errors(answer)]))
  return answer
}

const line = (overrides: Partial<HoldChargeLine> = {}): HoldChargeLine => ({
  product: 'pleiades',
  description: 'demo:scene-1',
  unit: 'km2',
  measured_quantity: '12.345678901',
  charged_quantity: '25',
  minimum_quantity: '25',
  list_rate_credits: '45.5',
  rate_credits: '40',
  priced_on: '2026-01-15',
  discount_credits: 138,
  amount_credits: 1000,
  commitment_id: null,
  ...overrides,
})

async function createWallet(country: string | null = 'AU') {
  const { owner, organization, project } = await holdings.createOrganization()
  await holdings.database.unscoped.query(sql`
    update organizations set country = ${country} where organization_id = ${organization}`)
  const { entry_id } = await owner.transaction((tx) =>
    grantCredits(tx, owner, { kind: 'purchase', amount_credits: 10_000, reference: { type: 'topup', id: newId() } }),
  )
  const reserve = async (lines: readonly HoldChargeLine[], more: object = {}) => {
    const reference = { type: 'order', id: newId() }
    const amount_credits = lines.reduce((sum, { amount_credits }) => sum + amount_credits, 0)
    const id = await owner.transaction((tx) =>
      placeCreditHold(tx, owner, { amount_credits, reference, lines, ...more }),
    )
    return { id, reference }
  }
  const place = async (id: string, hold_id: string | null): Promise<void> => {
    await holdings.database.unscoped.query(sql`
      insert into orders (organization_id, id, project_id, type, status, display_name, tags, billing_mode, hold_id,
                          total_credits, groups, created_by, created_at, updated_at)
      values (${organization}, ${id}, ${project}, 'archive', 'CREATED', 'x', '{}', 'credit', ${hold_id}, 0, '[]', 'somebody', ${at}, ${at})`)
  }
  return { owner, organization, entry_id, reserve, place }
}

test('explains an open and a settled charge, looked up by order, hold or transaction', async () => {
  const { owner, reserve, place } = await createWallet()
  const { id, reference } = await reserve([line()])
  await place(reference.id, id)
  const open = await requestExplanation(owner, { order_id: reference.id })
  assert.deepEqual(open.lines, [
    {
      product: 'pleiades',
      description: 'demo:scene-1',
      unit: 'km2',
      measured_quantity: 12.345678901,
      minimum_quantity: 25,
      charged_quantity: 25,
      list_rate_credits: 45.5,
      rate_credits: 40,
      priced_on: '2026-01-15',
      discount_credits: 138,
      amount_credits: 1000,
      settled_credits: null,
      commitment_id: null,
    },
  ])
  assert.deepEqual([open.hold_id, open.billing_mode, open.reference], [id, 'credit', reference])
  assert.deepEqual([open.total_credits, open.gst_credits, open.settlement], [1000, 0, null])
  assert.deepEqual([open.operation, open.actor], ['test', owner.principal.id])
  assert.deepEqual(open.hold, { amount_credits: 1000, at: open.created_at })
  assert.deepEqual(
    open.entries.map(({ kind, amount_credits }) => [kind, amount_credits]),
    [['hold', -1000]],
  )
  assert.equal(
    open.sentence,
    `Order ${reference.id}: 1000 credits are held in the wallet for 25 km2 of pleiades (the minimum; 12.345678901 measured) at 40 per km2, the price on 2026-01-15, 138 below the list price, and nothing was charged yet.`,
  )
  await owner.transaction((tx) => settleHold(tx, owner, { hold_id: id, amount_credits: 1000 }))
  const done = await requestExplanation(owner, { hold_id: id.toUpperCase() })
  assert.deepEqual([done.lines[0]!.settled_credits, done.gst_credits], [1000, 91])
  assert.deepEqual([done.settlement?.outcome, done.settlement?.settled_credits], ['settled', 1000])
  assert.match(
    done.sentence,
    /: 1000 credits were charged from the wallet on 2026-03-01 for 25 km2 .* including 91 GST\.$/,
  )
  assert.deepEqual(
    done.entries.map(({ kind }) => kind),
    ['hold', 'capture'],
  )
  for (const input of [{ order_id: reference.id }, ...done.entries.map((entry) => ({ transaction_id: entry.id }))]) {
    assert.deepEqual(await requestExplanation(owner, input), done)
  }
})

test('explains partial settlements of several lines in each payment mode, releases and expired holds', async () => {
  const { owner, reserve } = await createWallet('NZ')
  const two = [
    line(),
    line({ product: 'other', amount_credits: 500, discount_credits: 0 }),
    line({ amount_credits: 0 }),
  ]
  for (const [mode, words] of [
    ['credit', 'from the wallet'],
    ['card', 'to the card'],
    ['enterprise', 'to the monthly invoice'],
  ] as const) {
    const { id } = await reserve(two, { mode })
    await owner.transaction((tx) => settleHold(tx, owner, { hold_id: id, amount_credits: 500, lines: [2] }))
    const explanation = await requestExplanation(owner, { hold_id: id })
    assert.equal(explanation.billing_mode, mode)
    assert.deepEqual(
      explanation.lines.map(({ settled_credits }) => settled_credits),
      [null, 500, null],
    )
    assert.deepEqual(explanation.settlement, {
      outcome: 'settled',
      settled_credits: 500,
      released_credits: 1000,
      at: explanation.settlement?.at,
    })
    assert.equal(explanation.gst_credits, null, 'no tax outside Australia')
    assert.match(
      explanation.sentence,
      new RegExp(
        `: 500 credits were charged ${words} on 2026-03-01 for 3 lines; 1000 of the 1500 credits held were released\\.$`,
      ),
    )
  }
  const overrides = await reserve([line({ amount_credits: 1 })])
  await owner.transaction((tx) => releaseHold(tx, owner, overrides.id))
  assert.match(
    (await requestExplanation(owner, { hold_id: overrides.id })).sentence,
    /: nothing was charged and the hold of 1 credit was released on/,
  )
  const expiredHold = await reserve([line()])
  await owner.transaction((tx) => expireHold(tx, owner, expiredHold.id))
  const expired = await requestExplanation(owner, { hold_id: expiredHold.id })
  assert.equal(expired.settlement?.outcome, 'expired')
  assert.match(expired.sentence, /nothing was charged and the hold of 1000 credits expired on/)
})

test('explains a free order, a job with a hold without lines, and an entry without a hold', async () => {
  const { owner, entry_id, reserve, place } = await createWallet(null)
  const free = newId()
  await place(free, null)
  assert.deepEqual(await requestExplanation(owner, { order_id: free }), {
    hold_id: null,
    billing_mode: 'credit',
    reference: { type: 'order', id: free },
    operation: null,
    actor: 'somebody',
    created_at: at,
    lines: [],
    total_credits: 0,
    gst_credits: 0,
    hold: null,
    settlement: null,
    entries: [],
    sentence: `Order ${free}: free of charge, nothing was held or charged.`,
  })
  const job = { type: 'job', id: newId() }
  await owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits: 5, reference: job }))
  const explanation = await requestExplanation(owner, { job_id: job.id })
  assert.deepEqual([explanation.reference, explanation.lines, explanation.total_credits], [job, [], 5])
  assert.equal(explanation.sentence, `Job ${job.id}: 5 credits are held in the wallet, and nothing was charged yet.`)
  const bought = await requestExplanation(owner, { transaction_id: entry_id })
  assert.deepEqual([bought.hold_id, bought.total_credits, bought.entries.length], [null, 0, 1])
  assert.equal(bought.sentence, '10000 credits were added to the wallet: purchase on 2026-03-01.')
  const order = await reserve([line()])
  await assert.rejects(
    requestExplanation(owner, { job_id: order.reference.id }),
    { problem: 'not-found' },
    'an order id is not a job id',
  )
})

test('requires exactly one identifier of an existing charge of this organization', async () => {
  const { owner, reserve, place } = await createWallet()
  const theirs = await createWallet()
  const { id, reference } = await theirs.reserve([line()])
  await theirs.place(reference.id, id)
  const mine = await reserve([line()])
  for (const input of [
    { hold_id: id },
    { order_id: reference.id },
    { transaction_id: theirs.entry_id },
    ...['hold_id', 'order_id', 'job_id', 'transaction_id'].map((name) => ({ [name]: newId() })),
  ]) {
    await assert.rejects(requestExplanation(owner, input), { problem: 'not-found' }, JSON.stringify(input))
  }
  for (const input of [{}, { hold_id: null }, { hold_id: mine.id, order_id: mine.reference.id }]) {
    await assert.rejects(requestExplanation(owner, input), { problem: 'validation' }, JSON.stringify(input))
  }
  assert.equal((await requestExplanation(owner, { hold_id: mine.id, order_id: null })).hold_id, mine.id)
  await place(mine.reference.id, mine.id)
})
