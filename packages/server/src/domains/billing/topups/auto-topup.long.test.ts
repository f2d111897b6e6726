import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../../engine/call.ts'
import { toTaskDefinition } from '../../../engine/task-definition.ts'
import { createLogger } from '../../../platform/log.ts'
import { newId } from '../../../platform/ids.ts'
import { PaymentsFailure, type PaymentProcessor } from '../../../platform/integrations/payments/payments.ts'
import { openTestServices, seller, type TestServices } from '../../../../test/test-services.ts'
import { callOperation, withLostResponses, createPayingOrganization } from '../../../../test/payment-fixtures.ts'
import { createTaskRunner, type TaskRunner } from '../../../../test/task-runner.ts'
import { readWalletBalance, grantCredits, deductCredits } from '../../ledger/ledger.ts'
import { autoTopupTask } from './auto-topup.task.ts'
import { failTopup } from './topup.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

let holdings: TestServices
let bench: TaskRunner
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
})
after(() => holdings?.close())

const settings = { enabled: true, threshold_credits: 1000, topup_amount_credits: 2000 }
const setAutoTopup = (call: Call, overrides: object = {}) =>
  callOperation(call, 'billing.set_auto_topup', { ...settings, ...overrides })
const reference = { type: 'test', id: 'test' }
const grantManually = (call: Call, amount_credits: number) =>
  call.transaction((tx) => grantCredits(tx, call, { kind: 'grant_manual', amount_credits, reference }))
const deduct = (call: Call, amount_credits: number) =>
  call.transaction((tx) => deductCredits(tx, call, { amount_credits, reference, note: 'test' }))
const readAvailableCredits = async (call: Call): Promise<number> =>
  (await readWalletBalance(call.db, call.organization, holdings.clock.forOrganization(call.organization).now()))
    .available_credits
const advanceAndSweep = async (minutes: number): Promise<void> => {
  holdings.clock.advance(minutes * 60_000)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
}

/** Creates a wallet of 1,500 with an auto top-up of 2,000 below 1,000. */
async function createAutoTopupWallet(card = 'pm_card_good', overrides: object = {}) {
  const fixture = await createPayingOrganization(holdings, bench, card)
  await setAutoTopup(fixture.owner, overrides)
  await grantManually(fixture.owner, 1500)
  return {
    ...fixture,
    cross: () => deduct(fixture.owner, 600),
    states: async () => (await fixture.topups()).map(({ state }) => state),
  }
}

/** Runs the task of one crossing with this id and payment processor. */
const run = (organization_id: string, id = newId(), payments: PaymentProcessor = holdings.payments) => {
  const { database, clock, blobs, processServices, integrations } = holdings
  const dependencies = {
    database,
    clock,
    blobs,
    processServices,
    seller,
    quotas: holdings.quotas,
    integrations: { ...integrations, payments },
    log: createLogger({ level: 'silent' }),
  }
  return toTaskDefinition(dependencies, () => bench.queue, autoTopupTask).run(
    { organization_id },
    new AbortController().signal,
    {
      id,
      number: 0,
      last: false,
    },
  )
}

test('auto top-up is disabled by default, with default values', async () => {
  const { owner } = await createPayingOrganization(holdings, bench, null)
  assert.deepEqual(await callOperation(owner, 'billing.auto_topup.get'), {
    daily_topup_limit_aud: 10_000,
    auto_topup: {
      enabled: false,
      threshold_credits: 500,
      topup_amount_credits: 5000,
      daily_charge_cap_aud: null,
      max_consecutive_declines: 3,
      consecutive_declines: 0,
    },
  })
})

test('enabling auto top-up requires a default card and a billing role', async () => {
  const { owner, createMember } = await createPayingOrganization(holdings, bench, null)
  await assert.rejects(setAutoTopup(owner), { problem: 'invalid-state' })
  assert.equal((await setAutoTopup(owner, { enabled: false }))['enabled'], false)
  await callOperation(owner, 'payment_methods.attach', { payment_method_id: 'pm_card_good' })
  const answer = await setAutoTopup(await createMember('billing'), { daily_charge_cap_aud: 50.25 })
  assert.deepEqual([answer['enabled'], answer['daily_charge_cap_aud']], [true, 50.25])
  for (const cap of [0.005, 50.255, 7e-211, 1e300]) {
    await assert.rejects(
      setAutoTopup(await createMember('billing'), { daily_charge_cap_aud: cap }),
      { problem: 'validation' },
      `${cap}`,
    )
  }
  assert.deepEqual((await callOperation(owner, 'billing.auto_topup.get'))['auto_topup'], answer)
  await assert.rejects(setAutoTopup(await createMember('member')), { problem: 'forbidden' })
})

test('crossing the threshold tops up once; being below it does not', async () => {
  const { owner, cross, journal, charges, events, documents } = await createAutoTopupWallet()
  await deduct(owner, 400)
  await bench.runPending()
  assert.deepEqual(await charges(), [])
  await cross()
  await bench.runPending()
  assert.equal(await readAvailableCredits(owner), 2500)
  assert.deepEqual((await journal()).slice(-2), ['auto_topup 2000', 'tax -182'])
  assert.deepEqual(await documents(), ['receipt 2000 paid'])
  assert.deepEqual((await events()).slice(-3), ['credits.low_balance', 'topup.succeeded', 'credits.purchased'])
  await callOperation(owner, 'billing.auto_topup.get')
  await bench.runPending()
  await deduct(owner, 1400)
  await bench.runPending()
  assert.equal((await charges()).length, 1)

  const below = await createPayingOrganization(holdings, bench)
  await grantManually(below.owner, 10)
  await setAutoTopup(below.owner)
  await deduct(below.owner, 5)
  await bench.runPending()
  assert.deepEqual(await below.charges(), [], 'the balance was below the threshold before auto top-up was enabled')
})

test('disabling auto top-up stops charges and restores the default low-balance threshold', async () => {
  const { owner, cross, charges, events } = await createAutoTopupWallet()
  await setAutoTopup(owner, { enabled: false })
  await cross()
  await bench.runPending()
  assert.deepEqual(await charges(), [])
  assert.ok(!(await events()).includes('credits.low_balance'))
  await deduct(owner, 500)
  assert.ok((await events()).includes('credits.low_balance'))
})

test('at most one auto top-up is in progress for any number of crossings and task runs', async () => {
  const { owner, organization, cross, charges, states } = await createAutoTopupWallet()
  await cross()
  const id = newId()
  await Promise.all([run(organization, id), run(organization, id), run(organization), run(organization)])
  await bench.runPending()
  await run(organization, id)
  assert.deepEqual([await charges(), await states()], [['succeeded 2000'], ['succeeded']])
  assert.equal(await readAvailableCredits(owner), 2900)

  const slow = await createAutoTopupWallet()
  await slow.cross()
  const paymentsLosingResponses = withLostResponses(holdings.payments, ['charge'], () => true)
  const task = newId()
  await assert.rejects(run(slow.organization, task, paymentsLosingResponses), /connection was lost/)
  await bench.runPending()
  assert.deepEqual([await slow.charges(), await slow.states()], [['succeeded 2000'], ['starting']])
  await run(slow.organization, task)
  assert.deepEqual([await slow.charges(), await slow.states()], [['succeeded 2000'], ['succeeded']])
})

test('concurrent crossings top up once', async () => {
  const { owner, charges } = await createAutoTopupWallet()
  await Promise.all(Array.from({ length: 10 }, () => deduct(owner, 60)))
  await bench.runPending()
  assert.deepEqual(await charges(), ['succeeded 2000'])
  assert.equal(await readAvailableCredits(owner), 2900)
})

test('the sweep grants a top-up whose task died after the charge, and cancels one whose task died before it', async () => {
  const [after, before] = [await createAutoTopupWallet(), await createAutoTopupWallet()]
  const unavailablePayments: PaymentProcessor = {
    ...holdings.payments,
    env: 'embedded',
    charge: async () => {
      throw new PaymentsFailure('unavailable', 'The line was cut before.')
    },
  }
  await after.cross()
  await assert.rejects(
    run(
      after.organization,
      newId(),
      withLostResponses(holdings.payments, ['charge'], () => true),
    ),
  )
  await before.cross()
  await assert.rejects(run(before.organization, newId(), unavailablePayments))
  await advanceAndSweep(51)
  assert.equal(await readAvailableCredits(after.owner), 2900)
  assert.deepEqual([await readAvailableCredits(before.owner), await before.charges()], [900, ['canceled 2000']])
  const { auto_topup } = await callOperation<{ auto_topup: { consecutive_declines: number } }>(
    before.owner,
    'billing.auto_topup.get',
  )
  assert.equal(auto_topup.consecutive_declines, 0, 'no card declined')
})

test('charges of a day, including one in progress, never exceed the daily cap, and start again the next day', async () => {
  const { owner, cross, charges, eventData } = await createAutoTopupWallet('pm_card_good', { daily_charge_cap_aud: 45 })
  for (let round = 0; round < 3; round++) {
    await cross()
    await bench.runPending()
    await deduct(owner, Math.max(0, (await readAvailableCredits(owner)) - 1500) || 1)
    await bench.runPending()
    if ((await readAvailableCredits(owner)) < 1500)
      await grantManually(owner, 1500 - (await readAvailableCredits(owner)))
  }
  assert.deepEqual(await charges(), ['succeeded 2000', 'succeeded 2000'])
  assert.equal((await eventData('topup.failed')).at(-1)!['reason'], 'daily_charge_cap')
  holdings.clock.advance(day_ms)
  await cross()
  await bench.runPending()
  assert.equal((await charges()).length, 3)

  const tight = await createAutoTopupWallet('pm_card_good', { daily_charge_cap_aud: 19.99 })
  await tight.cross()
  await bench.runPending()
  assert.deepEqual(await tight.charges(), [])
})

test('three consecutive declines disable auto top-up with an event, and enabling it resets the count', async () => {
  const { owner, cross, charges, eventData, states } = await createAutoTopupWallet('pm_card_declined')
  for (let round = 0; round < 5; round++) {
    await cross()
    await bench.runPending()
    await grantManually(owner, 600)
  }
  assert.deepEqual(
    await charges(),
    Array.from({ length: 3 }, () => 'canceled 2000'),
  )
  assert.deepEqual(await states(), ['failed', 'failed', 'failed'])
  assert.deepEqual(
    (await eventData('topup.failed')).map(({ reason }) => reason),
    ['card_declined', 'card_declined', 'card_declined', 'stopped'],
  )
  const { auto_topup } = await callOperation<{ auto_topup: object }>(owner, 'billing.auto_topup.get')
  assert.deepEqual(auto_topup, {
    ...settings,
    enabled: false,
    daily_charge_cap_aud: null,
    max_consecutive_declines: 3,
    consecutive_declines: 3,
  })
  assert.equal((await setAutoTopup(owner))['consecutive_declines'], 0)
  await cross()
  await bench.runPending()
  assert.equal((await charges()).length, 4)
})

test('a successful charge resets the count of consecutive declines', async () => {
  const { owner, cross, attachCard } = await createAutoTopupWallet('pm_card_declined')
  const declines = async () =>
    (await callOperation<{ auto_topup: { consecutive_declines: number } }>(owner, 'billing.auto_topup.get')).auto_topup
      .consecutive_declines
  await cross()
  await bench.runPending()
  assert.equal(await declines(), 1)
  await grantManually(owner, 600)
  const good = await attachCard('pm_card_good')
  await callOperation(owner, 'payment_methods.set_default', { payment_method_row_id: good })
  await cross()
  await bench.runPending()
  assert.equal(await declines(), 0)
})

test('a 3-D Secure challenge counts as a decline, and its intent is cancelled', async () => {
  const { cross, charges, topups, eventData } = await createAutoTopupWallet('pm_card_3ds')
  await cross()
  await bench.runPending()
  assert.deepEqual(await charges(), ['canceled 2000'])
  assert.equal((await topups())[0]!.failure_code, 'authentication_required')
  assert.equal((await eventData('topup.failed'))[0]!['reason'], 'authentication_required')
})

test('failing a top-up twice counts one decline', async () => {
  const { owner, cross, topups, eventData } = await createAutoTopupWallet('pm_card_declined')
  await cross()
  await bench.runPending()
  const [{ id }] = (await topups()) as unknown as [{ id: string }]
  assert.equal(await owner.transaction((tx) => failTopup(tx, owner, id, { code: 'again', intent: null })), false)
  assert.equal((await eventData('topup.failed')).length, 1)
})
