import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { PaymentsFailure, type PaymentProcessor } from '../../../platform/integrations/payments/payments.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import {
  callOperation,
  createClaim,
  withLostResponses,
  createPayingOrganization,
} from '../../../../test/payment-fixtures.ts'
import { createTaskRunner, type TaskRunner } from '../../../../test/task-runner.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { failTopup, completeTopup } from './topup.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

let holdings: TestServices
let bench: TaskRunner
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
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
  callOperation<Topup>(call, 'billing.topup', { credits, ...(card ? { payment_method_row_id: card } : {}) })
/** The call with an idempotency key, whose claim is shared by all its attempts. */
const withIdempotencyKey = (call: Call): Call => ({ ...call, claim: createClaim() })
const withPayments = (call: Call, payments: PaymentProcessor): Call => ({
  ...call,
  integrations: { ...holdings.integrations, payments },
})
const challenge = (call: Call): Promise<ActionProblem> =>
  topUp(call).then(
    () => assert.fail('was not challenged'),
    (error: ActionProblem) => {
      assert.equal(error.problem, 'payment-action-required')
      return error
    },
  )
const advanceAndSweep = async (minutes: number): Promise<void> => {
  holdings.clock.advance(minutes * minute_ms)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
}
const declined = { problem: 'payment-declined' }
const readAvailableCredits = async (call: Call): Promise<number> =>
  (await readWalletBalance(call.db, call.organization, holdings.clock.forOrganization(call.organization).now()))
    .available_credits

test('a successful top-up grants the credits and issues a receipt with GST', async () => {
  const { owner, journal, balances, events, documents, deadlines, charges } = await createPayingOrganization(
    holdings,
    bench,
  )
  const completed = await topUp(owner, 1100)
  assert.deepEqual([completed.status, completed.credits, completed.aud], ['succeeded', 1100, 11])
  assert.deepEqual(completed.balance, { available_credits: 1100, held_credits: 0 })
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.deepEqual(await balances(), { revenue: -100, 'stripe.clearing': -1100, tax: 100, 'wallet.available': 1100 })
  assert.deepEqual((await events()).slice(1), ['topup.succeeded', 'credits.purchased'])
  assert.deepEqual(await documents(), ['receipt 1100 paid'])
  assert.deepEqual(await charges(), ['succeeded 1100'])
  assert.deepEqual(await deadlines(), ['card-warning'])
})

test('the first successful top-up ends the free plan, and a declined one does not', async () => {
  for (const [card, plan, expectedEvents] of [
    ['pm_card_good', 'prepaid', ['topup.succeeded', 'credits.purchased', 'organization.plan_changed']],
    ['pm_card_declined', 'free', ['topup.failed']],
  ] as const) {
    const { owner, events } = await createPayingOrganization(holdings, bench, card)
    const { organization } = owner
    await holdings.database.unscoped.query(sql`
      update organizations set plan = 'free' where organization_id = ${organization}`)
    const before = (await events()).length
    await topUp(owner, 1100).catch(() => undefined)
    assert.deepEqual((await events()).slice(before), expectedEvents)
    const [row] = await owner.db.query<{ plan: string }>(sql`
      select plan from organizations where organization_id = ${organization}`)
    assert.equal(row?.plan, plan)
  }
})

test('the requested card is charged; foreign, unknown and detached cards answer not-found', async () => {
  const { owner, attachCard } = await createPayingOrganization(holdings, bench, 'pm_card_declined')
  const other = await createPayingOrganization(holdings, bench)
  await assert.rejects(topUp(owner), declined)
  const good = await attachCard('pm_card_good')
  assert.equal((await topUp(owner, 500, good)).status, 'succeeded')
  await callOperation(owner, 'payment_methods.detach', { payment_method_row_id: good })
  for (const card of [other.card!, newId(), good]) {
    await assert.rejects(topUp(owner, 500, card), { problem: 'not-found' })
  }
})

test('a top-up without a card answers payment-declined and writes nothing', async () => {
  const { owner, topups, events } = await createPayingOrganization(holdings, bench, null)
  await assert.rejects(topUp(owner), declined)
  assert.deepEqual([await topups(), await events()], [[], []])
})

test('a declined top-up leaves the ledger unchanged, emits an event, and its key can be used again', async () => {
  const { owner, attachCard, journal, topups, events, eventData, deadlines, charges } = await createPayingOrganization(
    holdings,
    bench,
    'pm_card_declined',
  )
  const call = withIdempotencyKey(owner)
  await assert.rejects(topUp(call), declined)
  assert.equal(call.claim!.recoveryPoint, 'refused')
  assert.deepEqual([await journal(), await deadlines()], [[], ['card-warning']])
  assert.deepEqual((await events()).slice(1), ['topup.failed'])
  assert.equal((await eventData('topup.failed'))[0]!['reason'], 'card_declined')
  assert.deepEqual(
    (await topups()).map(({ state, failure_code }) => [state, failure_code]),
    [['failed', 'card_declined']],
  )
  await bench.runPending()
  assert.deepEqual(await charges(), ['canceled 1100'], 'the declined intent is cancelled')
  const good = await attachCard('pm_card_good')
  await callOperation(owner, 'payment_methods.set_default', { payment_method_row_id: good })
  assert.equal((await topUp(call)).status, 'succeeded', 'the same key with another card')
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
})

test('retries return the same 3-D Secure challenge until it is completed, then the credits are granted once', async () => {
  const { owner, journal, topups, charges } = await createPayingOrganization(holdings, bench, 'pm_card_3ds')
  const call = withIdempotencyKey(owner)
  const [first, second] = [await challenge(call), await challenge(call)]
  assert.equal(first.extra.client_secret, second.extra.client_secret)
  assert.match(first.extra.challenge_url, /^http/)
  assert.equal(call.claim!.recoveryPoint, 'payment_pending')
  assert.deepEqual(await journal(), [])
  await holdings.payments.settleChallenge(first.extra.client_secret, 'complete')
  const completed = await topUp(call)
  assert.equal(completed.status, 'succeeded')
  assert.equal(call.claim!.recoveryPoint, 'paid')
  assert.deepEqual(await topUp(call), completed)
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.deepEqual([(await topups()).length, await charges()], [1, ['succeeded 1100']])
})

test('a failed challenge answers payment-declined, and the next attempt under the key gets a new one', async () => {
  const { owner, journal } = await createPayingOrganization(holdings, bench, 'pm_card_3ds')
  const call = withIdempotencyKey(owner)
  const first = await challenge(call)
  await holdings.payments.settleChallenge(first.extra.client_secret, 'fail')
  await assert.rejects(topUp(call), declined)
  const second = await challenge(call)
  assert.notEqual(second.extra.client_secret, first.extra.client_secret)
  assert.deepEqual(await journal(), [])
})

test('an abandoned challenge is cancelled within the hour, and a retry answers payment-declined once', async () => {
  const { owner, journal, charges, topups, deadlines } = await createPayingOrganization(holdings, bench, 'pm_card_3ds')
  const call = withIdempotencyKey(owner)
  const { extra } = await challenge(call)
  await advanceAndSweep(51)
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

test('retries after a lost response charge at most once per key', async () => {
  for (const name of ['charge', 'find'] as const) {
    const { owner, journal, charges } = await createPayingOrganization(holdings, bench)
    const call = withIdempotencyKey(owner)
    let isLost = true
    const callWithLostResponse = withPayments(
      call,
      withLostResponses(holdings.payments, [name], () => isLost),
    )
    await assert.rejects(topUp(callWithLostResponse), { problem: 'upstream' })
    await assert.rejects(topUp(callWithLostResponse), { problem: 'upstream' })
    isLost = false
    assert.equal((await topUp(callWithLostResponse)).status, 'succeeded')
    assert.deepEqual(await charges(), ['succeeded 1100'], name)
    assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'], name)
  }
})

test('the processor gets the caller’s key prefixed by the organization, and numbered for later attempts', async () => {
  const keys: string[] = []
  const payments: PaymentProcessor = {
    ...holdings.payments,
    env: 'embedded',
    charge: (request, key) => {
      keys.push(key)
      return holdings.payments.charge(request, key)
    },
  }
  const claim = createClaim()
  for (const card of ['pm_card_good', 'pm_card_declined']) {
    const { owner, organization } = await createPayingOrganization(holdings, bench, card)
    const call = withPayments({ ...owner, claim }, payments)
    await topUp(call).catch(() => null)
    assert.equal(keys.at(-1), `${organization}:${claim.key}`)
    if (card === 'pm_card_good') continue
    await topUp(call).catch(() => null)
    assert.equal(keys.at(-1), `2:${organization}:${claim.key}`)
  }
  const long = { ...createClaim(), key: 'k'.repeat(255) }
  const { owner } = await createPayingOrganization(holdings, bench)
  await topUp(withPayments({ ...owner, claim: long }, payments))
  assert.ok(keys.at(-1)!.length < 255)
})

test('the sweep grants a charged top-up whose response was lost, and does not charge one that was never sent', async () => {
  const isLost = await createPayingOrganization(holdings, bench)
  await assert.rejects(
    topUp(
      withPayments(
        isLost.owner,
        withLostResponses(holdings.payments, ['charge'], () => true),
      ),
    ),
    {
      problem: 'upstream',
    },
  )
  const never = await createPayingOrganization(holdings, bench)
  const unavailablePayments: PaymentProcessor = {
    ...holdings.payments,
    env: 'embedded',
    charge: async () => {
      throw new PaymentsFailure('unavailable', 'The line was cut before.')
    },
  }
  await assert.rejects(topUp(withPayments(never.owner, unavailablePayments)), { problem: 'upstream' })
  const refused = await createPayingOrganization(holdings, bench, 'pm_card_declined')
  const callWithLostResponses = withPayments(refused.owner, {
    ...holdings.payments,
    env: 'embedded',
    charge: (request, key) =>
      holdings.payments.charge(request, key).catch(() => {
        throw new PaymentsFailure('unavailable', 'The line was cut.')
      }),
  })
  await assert.rejects(topUp(callWithLostResponses), { problem: 'upstream' })
  await advanceAndSweep(51)
  assert.deepEqual(await isLost.journal(), ['purchase 1100', 'tax -100'])
  assert.deepEqual(await isLost.charges(), ['succeeded 1100'])
  assert.deepEqual([await never.journal(), await never.charges()], [[], ['canceled 1100']])
  assert.deepEqual([await refused.journal(), await refused.charges()], [[], ['canceled 1100']])
  for (const { topups } of [never, refused]) assert.equal((await topups())[0]!.state, 'failed')
  const again = bench.runTask(backgroundTaskTypes.closeTopup, {
    organization_id: isLost.organization,
    topup_id: (await isLost.topups())[0]!.id,
  })
  await again
  assert.equal((await isLost.journal()).length, 2)
})

test('a paid top-up is granted once, also after it was failed as abandoned', async () => {
  const { owner, journal, topups, organization, events } = await createPayingOrganization(
    holdings,
    bench,
    'pm_card_3ds',
  )
  const { extra } = await challenge(owner)
  const [{ id, intent }] = (await topups()) as unknown as [{ id: string; intent: string }]
  await holdings.payments.settleChallenge(extra.client_secret, 'complete')
  const paidIntent = await holdings.payments.find(intent)
  // Failed as abandoned although it was paid.
  await owner.transaction((tx) => failTopup(tx, owner, id, { code: 'abandoned', intent }))
  await Promise.all(
    Array.from({ length: 5 }, () => owner.transaction((tx) => completeTopup(tx, owner, id, paidIntent))),
  )
  await bench.runTask(backgroundTaskTypes.closeTopup, { organization_id: organization, topup_id: id })
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
  assert.equal((await events()).filter((kind) => kind === 'credits.purchased').length, 1)
  assert.equal(await readAvailableCredits(owner), 1100)
})

test('a retry with the same key after a crash at any processor request charges and grants once', async () => {
  for (const steps of [0, 1, 2]) {
    const { owner, journal, charges, topups, documents } = await createPayingOrganization(holdings, bench)
    const call = withIdempotencyKey(owner)
    let remainingSteps = steps
    const crashing =
      (work: (...args: never[]) => Promise<unknown>) =>
      async (...args: never[]) => {
        if (remainingSteps-- === 0) throw new Error('killed')
        const expectedEvents = await work(...args)
        if (remainingSteps === 0) throw new Error('killed')
        return expectedEvents
      }
    const payments = {
      ...holdings.payments,
      charge: crashing(holdings.payments.charge as never),
      find: crashing(holdings.payments.find as never),
    } as unknown as PaymentProcessor
    await assert.rejects(topUp(withPayments(call, payments)), /killed/)
    assert.equal((await topUp(call)).status, 'succeeded')
    assert.deepEqual([await journal(), await charges()], [['purchase 1100', 'tax -100'], ['succeeded 1100']])
    assert.deepEqual([(await topups()).length, await documents()], [1, ['receipt 1100 paid']])
  }
})

test('admins, the billing role and their API keys can top up; members cannot', async () => {
  const { createMember } = await createPayingOrganization(holdings, bench)
  for (const role of ['admin', 'billing'] as const) {
    const person = await createMember(role)
    assert.equal((await topUp(person, 500)).status, 'succeeded')
    const principal = { ...person.principal, kind: 'api_key', id: newId(), role: null } as const
    assert.equal((await topUp({ ...person, principal }, 500)).status, 'succeeded')
  }
  await assert.rejects(topUp(await createMember('member')), { problem: 'forbidden' })
})
