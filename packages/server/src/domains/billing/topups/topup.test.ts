import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { PaymentsFailure, type Payments } from '../../../platform/outside/payments/payments.ts'
import { openHoldings, type Holdings } from '../../../../test/holdings.ts'
import { ask, claimOf, losing, payingOrganization } from '../../../../test/paying.ts'
import { openBench, type Bench } from '../../../../test/work.ts'
import { balance } from '../../ledger/ledger.ts'
import { failTopup, finishTopup } from './topup.ts'

const minute_ms = 60_000

let holdings: Holdings
let bench: Bench
before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
})
after(() => holdings?.close())

interface Topup {
  readonly id: string
  readonly status: string
  readonly credits: number
  readonly aud: number
  readonly balance: { readonly available_credits: number; readonly held_credits: number }
}

interface ActionProblem {
  readonly problem: string
  readonly extra: { readonly client_secret: string; readonly challenge_url: string }
}

const topUp = (call: Call, credits = 1100, card?: string) =>
  ask<Topup>(call, 'billing.topup', { credits, ...(card ? { payment_method_row_id: card } : {}) })
/** The call with an idempotency key, whose claim is shared by all its attempts. */
const keyed = (call: Call): Call => ({ ...call, claim: claimOf() })
const through = (call: Call, payments: Payments): Call => ({ ...call, outside: { ...holdings.outside, payments } })
const challenge = (call: Call): Promise<ActionProblem> =>
  topUp(call).then(
    () => assert.fail('was not challenged'),
    (error: ActionProblem) => {
      assert.equal(error.problem, 'payment-action-required')
      return error
    },
  )
const later = async (minutes: number): Promise<void> => {
  holdings.clock.advance(minutes * minute_ms)
  await bench.once('billing.sweep-deadlines')
  await bench.run()
}
const declined = { problem: 'payment-declined' }
const money = async (call: Call): Promise<number> =>
  (await balance(call.db, call.organization, holdings.clock.of(call.organization).now())).available_credits

test('a successful top-up grants the credits and issues a receipt with GST', async () => {
  const { owner, journal, balances, events, documents, deadlines, charges } = await payingOrganization(holdings, bench)
  const done = await topUp(owner, 1100)
  assert.deepEqual([done.status, done.credits, done.aud], ['succeeded', 1100, 11])
  assert.deepEqual(done.balance, { available_credits: 1100, held_credits: 0 })
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.deepEqual(await balances(), { revenue: -100, 'stripe.clearing': -1100, tax: 100, 'wallet.available': 1100 })
  assert.deepEqual((await events()).slice(1), ['topup.succeeded', 'credits.purchased'])
  assert.deepEqual(await documents(), ['R-000001 1100 paid'])
  assert.deepEqual(await charges(), ['succeeded 1100'])
  assert.deepEqual(await deadlines(), ['card-warning'])
})

test('the first successful top-up ends the free plan, and a declined one does not', async () => {
  for (const [card, plan, told] of [
    ['pm_card_good', 'prepaid', ['topup.succeeded', 'credits.purchased', 'organization.plan_changed']],
    ['pm_card_declined', 'free', ['topup.failed']],
  ] as const) {
    const { owner, events } = await payingOrganization(holdings, bench, card)
    const { organization } = owner
    await holdings.database.across.query(sql`
      update organizations set plan = 'free' where organization_id = ${organization}`)
    const before = (await events()).length
    await topUp(owner, 1100).catch(() => undefined)
    assert.deepEqual((await events()).slice(before), told)
    const [row] = await owner.db.query<{ plan: string }>(sql`
      select plan from organizations where organization_id = ${organization}`)
    assert.equal(row?.plan, plan)
  }
})

test('the requested card is charged; foreign, unknown and detached cards answer not-found', async () => {
  const { owner, attach } = await payingOrganization(holdings, bench, 'pm_card_declined')
  const other = await payingOrganization(holdings, bench)
  await assert.rejects(topUp(owner), declined)
  const good = await attach('pm_card_good')
  assert.equal((await topUp(owner, 500, good)).status, 'succeeded')
  await ask(owner, 'payment_methods.detach', { payment_method_row_id: good })
  for (const card of [other.card!, newId(), good]) {
    await assert.rejects(topUp(owner, 500, card), { problem: 'not-found' })
  }
})

test('a top-up without a card answers payment-declined and writes nothing', async () => {
  const { owner, topups, events } = await payingOrganization(holdings, bench, null)
  await assert.rejects(topUp(owner), declined)
  assert.deepEqual([await topups(), await events()], [[], []])
})

test('a declined top-up leaves the ledger unchanged, emits an event, and its key can be used again', async () => {
  const { owner, attach, journal, topups, events, eventData, deadlines, charges } = await payingOrganization(
    holdings,
    bench,
    'pm_card_declined',
  )
  const call = keyed(owner)
  await assert.rejects(topUp(call), declined)
  assert.equal(call.claim!.point, 'refused')
  assert.deepEqual([await journal(), await deadlines()], [[], ['card-warning']])
  assert.deepEqual((await events()).slice(1), ['topup.failed'])
  assert.equal((await eventData('topup.failed'))[0]!['reason'], 'card_declined')
  assert.deepEqual(
    (await topups()).map(({ state, failure_code }) => [state, failure_code]),
    [['failed', 'card_declined']],
  )
  await bench.run()
  assert.deepEqual(await charges(), ['canceled 1100'], 'the declined intent is cancelled')
  const good = await attach('pm_card_good')
  await ask(owner, 'payment_methods.set_default', { payment_method_row_id: good })
  assert.equal((await topUp(call)).status, 'succeeded', 'the same key with another card')
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
})

test('retries return the same 3-D Secure challenge until it is completed, then the credits are granted once', async () => {
  const { owner, journal, topups, charges } = await payingOrganization(holdings, bench, 'pm_card_3ds')
  const call = keyed(owner)
  const [first, second] = [await challenge(call), await challenge(call)]
  assert.equal(first.extra.client_secret, second.extra.client_secret)
  assert.match(first.extra.challenge_url, /^http/)
  assert.equal(call.claim!.point, 'payment_pending')
  assert.deepEqual(await journal(), [])
  await holdings.payments.settleChallenge(first.extra.client_secret, 'complete')
  const done = await topUp(call)
  assert.equal(done.status, 'succeeded')
  assert.equal(call.claim!.point, 'paid')
  assert.deepEqual(await topUp(call), done)
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.deepEqual([(await topups()).length, await charges()], [1, ['succeeded 1100']])
})

test('a failed challenge answers payment-declined, and the next attempt under the key gets a new one', async () => {
  const { owner, journal } = await payingOrganization(holdings, bench, 'pm_card_3ds')
  const call = keyed(owner)
  const first = await challenge(call)
  await holdings.payments.settleChallenge(first.extra.client_secret, 'fail')
  await assert.rejects(topUp(call), declined)
  const second = await challenge(call)
  assert.notEqual(second.extra.client_secret, first.extra.client_secret)
  assert.deepEqual(await journal(), [])
})

test('an abandoned challenge is cancelled within the hour, and a retry answers payment-declined once', async () => {
  const { owner, journal, charges, topups, deadlines } = await payingOrganization(holdings, bench, 'pm_card_3ds')
  const call = keyed(owner)
  const { extra } = await challenge(call)
  await later(51)
  assert.deepEqual([await charges(), await deadlines()], [['canceled 1100'], ['card-warning']])
  assert.deepEqual(
    (await topups()).map(({ state, failure_code }) => [state, failure_code]),
    [['failed', 'abandoned']],
  )
  await holdings.payments.settleChallenge(extra.client_secret, 'complete')
  await assert.rejects(topUp(call), declined)
  assert.deepEqual(await journal(), [])
  await challenge(call)
})

test('I30: retries after a lost response charge at most once per key', async () => {
  for (const name of ['charge', 'find'] as const) {
    const { owner, journal, charges } = await payingOrganization(holdings, bench)
    const call = keyed(owner)
    let lost = true
    const unlucky = through(
      call,
      losing(holdings.payments, [name], () => lost),
    )
    await assert.rejects(topUp(unlucky), { problem: 'upstream' })
    await assert.rejects(topUp(unlucky), { problem: 'upstream' })
    lost = false
    assert.equal((await topUp(unlucky)).status, 'succeeded')
    assert.deepEqual(await charges(), ['succeeded 1100'], name)
    assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'], name)
  }
})

test('I30: the processor gets the caller’s key prefixed by the organization, and numbered for later attempts', async () => {
  const keys: string[] = []
  const payments: Payments = {
    ...holdings.payments,
    env: 'embedded',
    charge: (terms, key) => {
      keys.push(key)
      return holdings.payments.charge(terms, key)
    },
  }
  const claim = claimOf()
  for (const card of ['pm_card_good', 'pm_card_declined']) {
    const { owner, organization } = await payingOrganization(holdings, bench, card)
    const call = through({ ...owner, claim }, payments)
    await topUp(call).catch(() => null)
    assert.equal(keys.at(-1), `${organization}:${claim.key}`)
    if (card === 'pm_card_good') continue
    await topUp(call).catch(() => null)
    assert.equal(keys.at(-1), `2:${organization}:${claim.key}`)
  }
  const long = { ...claimOf(), key: 'k'.repeat(255) }
  const { owner } = await payingOrganization(holdings, bench)
  await topUp(through({ ...owner, claim: long }, payments))
  assert.ok(keys.at(-1)!.length < 255)
})

test('I30: the sweep grants a charged top-up whose response was lost, and does not charge one that was never sent', async () => {
  const lost = await payingOrganization(holdings, bench)
  await assert.rejects(
    topUp(
      through(
        lost.owner,
        losing(holdings.payments, ['charge'], () => true),
      ),
    ),
    {
      problem: 'upstream',
    },
  )
  const never = await payingOrganization(holdings, bench)
  const dead: Payments = {
    ...holdings.payments,
    env: 'embedded',
    charge: async () => {
      throw new PaymentsFailure('unavailable', 'The line was cut before.')
    },
  }
  await assert.rejects(topUp(through(never.owner, dead)), { problem: 'upstream' })
  const refused = await payingOrganization(holdings, bench, 'pm_card_declined')
  const silent = through(refused.owner, {
    ...holdings.payments,
    env: 'embedded',
    charge: (terms, key) =>
      holdings.payments.charge(terms, key).catch(() => {
        throw new PaymentsFailure('unavailable', 'The line was cut.')
      }),
  })
  await assert.rejects(topUp(silent), { problem: 'upstream' })
  await later(51)
  assert.deepEqual(await lost.journal(), ['purchase 1100', 'tax -100'])
  assert.deepEqual(await lost.charges(), ['succeeded 1100'])
  assert.deepEqual([await never.journal(), await never.charges()], [[], ['canceled 1100']])
  assert.deepEqual([await refused.journal(), await refused.charges()], [[], ['canceled 1100']])
  for (const { topups } of [never, refused]) assert.equal((await topups())[0]!.state, 'failed')
  const again = bench.once('billing.close-topup', {
    organization_id: lost.organization,
    topup_id: (await lost.topups())[0]!.id,
  })
  await again
  assert.equal((await lost.journal()).length, 2)
})

test('I30: a paid top-up is granted once, also after it was failed as abandoned', async () => {
  const { owner, journal, topups, organization, events } = await payingOrganization(holdings, bench, 'pm_card_3ds')
  const { extra } = await challenge(owner)
  const [{ id, intent }] = (await topups()) as unknown as [{ id: string; intent: string }]
  await holdings.payments.settleChallenge(extra.client_secret, 'complete')
  const paid = await holdings.payments.find(intent)
  // Failed as abandoned although it was paid.
  await owner.transaction((tx) => failTopup(tx, owner, id, { code: 'abandoned', intent }))
  await Promise.all(Array.from({ length: 5 }, () => owner.transaction((tx) => finishTopup(tx, owner, id, paid))))
  await bench.once('billing.close-topup', { organization_id: organization, topup_id: id })
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.equal((await events()).filter((kind) => kind === 'credits.purchased').length, 1)
  assert.equal(await money(owner), 1100)
})

test('a retry with the same key after a crash at any processor request charges and grants once', async () => {
  for (const steps of [0, 1, 2]) {
    const { owner, journal, charges, topups, documents } = await payingOrganization(holdings, bench)
    const call = keyed(owner)
    let left = steps
    const dying =
      (work: (...given: never[]) => Promise<unknown>) =>
      async (...given: never[]) => {
        if (left-- === 0) throw new Error('killed')
        const told = await work(...given)
        if (left === 0) throw new Error('killed')
        return told
      }
    const payments = {
      ...holdings.payments,
      charge: dying(holdings.payments.charge as never),
      find: dying(holdings.payments.find as never),
    } as unknown as Payments
    await assert.rejects(topUp(through(call, payments)), /killed/)
    assert.equal((await topUp(call)).status, 'succeeded')
    assert.deepEqual([await journal(), await charges()], [['purchase 1100', 'tax -100'], ['succeeded 1100']])
    assert.deepEqual([(await topups()).length, await documents()], [1, ['R-000001 1100 paid']])
  }
})

test('admins, the billing role and their API keys can top up; members cannot', async () => {
  const { someone } = await payingOrganization(holdings, bench)
  for (const role of ['admin', 'billing'] as const) {
    const person = await someone(role)
    assert.equal((await topUp(person, 500)).status, 'succeeded')
    const principal = { ...person.principal, kind: 'api_key', id: newId(), role: null } as const
    assert.equal((await topUp({ ...person, principal }, 500)).status, 'succeeded')
  }
  await assert.rejects(topUp(await someone('member')), { problem: 'forbidden' })
})
