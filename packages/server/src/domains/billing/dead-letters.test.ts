import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { toTaskDefinition } from '../../engine/task-definition.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createLogger } from '../../platform/log.ts'
import { PaymentsFailure, type PaymentProcessor } from '../../platform/integrations/payments/payments.ts'
import { openTestServices, seller, type TestServices } from '../../../test/test-services.ts'
import { callOperation, withLostResponses, createPayingOrganization } from '../../../test/payment-fixtures.ts'
import { createTaskRunner, type TaskRunner } from '../../../test/task-runner.ts'
import { closeTopupsTask } from './topups/close-topups.task.ts'

let holdings: TestServices
let bench: TaskRunner
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
})
after(() => holdings?.close())

interface DeadLetterList {
  readonly dead_letters: readonly { id: string; kind: string; organization_id: string | null; last_error: string }[]
  readonly total: number
}

const list = (call: Call) => callOperation<DeadLetterList>(call, 'billing.dlq.list_pending')
const replay = (call: Call, batch_size = 100) => callOperation(call, 'billing.dlq.replay', { batch_size })

/** Runs an attempt of a task with a processor that is unavailable. */
async function failLastAttempt(data: object, last = true): Promise<void> {
  const find: PaymentProcessor['find'] = async () => {
    throw new PaymentsFailure('unavailable', 'The processor is unavailable.')
  }
  const { database, clock, blobs, processServices, integrations, payments, quotas } = holdings
  const unavailableIntegrations = { ...integrations, payments: { ...payments, find } }
  const dependencies = {
    database,
    clock,
    blobs,
    processServices,
    seller,
    quotas,
    integrations: unavailableIntegrations,
    log: createLogger({ level: 'silent' }),
  }
  const attempt = { id: newId(), number: 10, last }
  await toTaskDefinition(dependencies, () => bench.queue, closeTopupsTask).run(
    data,
    new AbortController().signal,
    attempt,
  )
}

/** A top-up whose response was lost, and whose close task has failed on its last attempt. */
async function createStrandedTopup() {
  const fixture = await createPayingOrganization(holdings, bench)
  const outside = { ...holdings.integrations, payments: withLostResponses(holdings.payments, ['charge'], () => true) }
  await assert.rejects(callOperation({ ...fixture.owner, integrations: outside }, 'billing.topup', { credits: 1100 }), {
    problem: 'upstream',
  })
  const [{ id: topup_id }] = (await fixture.topups()) as unknown as [{ id: string }]
  const data = { organization_id: fixture.organization, topup_id }
  await failLastAttempt(data)
  holdings.clock.advance(1000)
  return { ...fixture, data }
}

test('a failed attempt throws if others follow, and stores a dead letter if it is the last', async () => {
  const { owner, data, organization } = await createStrandedTopup()
  await assert.rejects(failLastAttempt(data, false), /The processor is unavailable/)
  const { dead_letters, total } = await list(owner)
  assert.equal(total, 1)
  const [letter] = dead_letters
  assert.deepEqual(
    [letter!.kind, letter!.organization_id, letter!.last_error],
    ['billing.close-topup', organization, 'The processor is unavailable.'],
  )
  assert.deepEqual(await replay(owner), { replayed_count: 1, failed_count: 0 })
  await bench.runPending()
})

test('dead letters are replayed oldest first, each once, and their tasks run', async () => {
  const [first, second, third] = [await createStrandedTopup(), await createStrandedTopup(), await createStrandedTopup()]
  const { owner } = first
  assert.deepEqual(
    (await list(owner)).dead_letters.map((letter) => letter.organization_id),
    [first.organization, second.organization, third.organization],
  )
  assert.deepEqual(await replay(owner, 2), { replayed_count: 2, failed_count: 0 })
  await bench.runPending()
  assert.deepEqual(
    [await first.journal(), await second.journal(), await third.journal()],
    [['purchase 1100', 'tax -100'], ['purchase 1100', 'tax -100'], []],
  )
  const both = await Promise.all([replay(owner), replay(owner)])
  assert.equal(
    both.reduce((sum, { replayed_count }) => sum + (replayed_count as number), 0),
    1,
  )
  await bench.runPending()
  assert.deepEqual(await third.charges(), ['succeeded 1100'])
  assert.deepEqual([(await list(owner)).total, await replay(owner)], [0, { replayed_count: 0, failed_count: 0 }])
})

test('a task that fails again gets a new dead letter, and one with an unknown task stays without blocking others', async () => {
  const { owner, data, journal } = await createStrandedTopup()
  await holdings.database.unscoped.query(sql`
    insert into billing_dead_letters (id, kind, organization_id, data, attempts, last_error, created_at)
    values (${newId()}, 'billing.forgotten', null, '{}', 11, 'test', ${new Date(0)})`)
  assert.deepEqual(await replay(owner), { replayed_count: 1, failed_count: 1 })
  await failLastAttempt(data)
  const { dead_letters } = await list(owner)
  assert.deepEqual(
    dead_letters.map(({ kind }) => kind),
    ['billing.forgotten', 'billing.close-topup'],
  )
  assert.deepEqual(await replay(owner), { replayed_count: 1, failed_count: 1 })
  await bench.runPending()
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
})
