import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../../engine/call.ts'
import { newId } from '../../../platform/ids.ts'
import type { PaymentProcessor } from '../../../platform/integrations/payments/payments.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import {
  callOperation,
  createClaim,
  withLostResponses,
  createPayingOrganization,
} from '../../../../test/payment-fixtures.ts'
import { createTaskRunner, type TaskRunner } from '../../../../test/task-runner.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

let holdings: TestServices
let bench: TaskRunner
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
})
after(() => holdings?.close())

interface Approval {
  readonly id: string
  readonly status: string
  readonly credits: number
  readonly aud: number
  readonly requested_by: string
  readonly decided_by: string | null
  readonly reason: string | null
  readonly expires_at: string
  readonly decided_at: string | null
}

const sweep = async (hours: number): Promise<void> => {
  holdings.clock.advance(hours * hour_ms)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
}
const withPayments = (call: Call, payments: PaymentProcessor): Call => ({
  ...call,
  integrations: { ...holdings.integrations, payments },
})
const withIdempotencyKey = (call: Call): Call => ({ ...call, claim: createClaim() })
const asApiKey = (call: Call): Call => ({
  ...call,
  principal: { ...call.principal, kind: 'api_key', id: newId(), role: null },
})

/** Creates a request of a member for 2,000 credits. */
async function createApprovalRequest(card: string | null = 'pm_card_good', options: object = {}) {
  const fixture = await createPayingOrganization(holdings, bench, card)
  const member = await fixture.createMember('member')
  const { id } = await callOperation<Approval>(member, 'billing.approvals.request', { credits: 2000, ...options })
  const read = async (): Promise<Approval> =>
    (await callOperation<{ approval: Approval }>(member, 'billing.approvals.get', { approval_id: id })).approval
  const approve = (call: Call = fixture.owner) =>
    callOperation<Approval>(call, 'billing.approvals.approve', { approval_id: id })
  const reject = (call: Call = fixture.owner, reason: string | null = null) =>
    callOperation<Approval>(call, 'billing.approvals.reject', { approval_id: id, reason })
  return { ...fixture, member, id, read, approve, reject }
}

test('a member requests a top-up, another user with a billing role approves it, and the default card is charged', async () => {
  const { member, owner, read, approve, journal, charges, topups, deadlines, documents } = await createApprovalRequest()
  const pendingApproval = await read()
  assert.deepEqual(
    [pendingApproval.status, pendingApproval.credits, pendingApproval.aud, pendingApproval.decided_by],
    ['pending', 2000, 20, null],
  )
  assert.equal(pendingApproval.requested_by, member.principal.id)
  assert.equal(Date.parse(pendingApproval.expires_at) - holdings.clock.now().getTime(), 72 * hour_ms)
  const decided = await approve()
  assert.deepEqual([decided.status, decided.decided_by], ['completed', owner.principal.id])
  assert.deepEqual(await read(), decided)
  assert.deepEqual([await journal(), await charges()], [['purchase 2000', 'tax -182'], ['succeeded 2000']])
  assert.deepEqual([(await topups())[0]!.kind, await documents()], ['approval', ['receipt 2000 paid']])
  assert.deepEqual(await deadlines(), ['card-warning'])
  await assert.rejects(approve(), { problem: 'already-decided' })
  assert.deepEqual(await charges(), ['succeeded 2000'])
})

test('API keys can neither request nor decide, requesters cannot approve, and members cannot decide', async () => {
  const { owner, member, createMember, approve, reject, read, charges } = await createApprovalRequest()
  const user = { problem: 'user-required' }
  await assert.rejects(callOperation(asApiKey(member), 'billing.approvals.request', { credits: 1 }), user)
  for (const decide of [approve, reject]) {
    await assert.rejects(decide(asApiKey(owner)), user)
    await assert.rejects(decide(member), { problem: 'forbidden' })
    await assert.rejects(decide(await createMember('member')), { problem: 'forbidden' })
  }
  const { id } = await callOperation<Approval>(owner, 'billing.approvals.request', { credits: 500 })
  const own = { approval_id: id }
  await assert.rejects(callOperation(owner, 'billing.approvals.approve', own), { problem: 'forbidden' })
  assert.equal(
    (await callOperation<Approval>(owner, 'billing.approvals.reject', own)).status,
    'rejected',
    'the requester can reject',
  )
  assert.deepEqual([(await read()).status, await charges()], ['pending', []])
  assert.equal((await approve(await createMember('billing'))).status, 'completed')
})

test('a rejected request keeps its reason and answers already-decided', async () => {
  const { owner, reject, approve, read, charges, deadlines } = await createApprovalRequest()
  const decided = await reject(owner, 'Too much for this month.')
  assert.deepEqual(
    [decided.status, decided.reason, decided.decided_by],
    ['rejected', 'Too much for this month.', owner.principal.id],
  )
  await assert.rejects(approve(), { problem: 'already-decided' })
  await assert.rejects(reject(), { problem: 'already-decided' })
  assert.deepEqual([await read(), await charges(), await deadlines()], [decided, [], ['card-warning']])
})

test('an expired request answers gone-expired, before and after the sweep', async () => {
  const { owner, approve, reject, read, charges, id } = await createApprovalRequest('pm_card_good', { expiry_hours: 2 })
  const statuses = async (status: string) =>
    (await callOperation<{ approvals: Approval[] }>(owner, 'billing.approvals.list', { status })).approvals.map(
      (row) => row.id,
    )
  holdings.clock.advance(2 * hour_ms - 1)
  assert.deepEqual([(await read()).status, await statuses('pending')], ['pending', [id]])
  holdings.clock.advance(1)
  for (const swept of [false, true]) {
    if (swept) await sweep(0)
    assert.equal((await read()).status, 'expired')
    assert.deepEqual([await statuses('pending'), await statuses('expired')], [[], [id]])
    await assert.rejects(approve(), { problem: 'gone-expired' })
    await assert.rejects(reject(), { problem: 'gone-expired' })
  }
  assert.deepEqual(await charges(), [])
})

test('a declined card uses up the approval, and a retry gives the same problem', async () => {
  const { owner, approve, read, journal, charges } = await createApprovalRequest('pm_card_declined')
  const call = withIdempotencyKey(owner)
  await assert.rejects(approve(call), { problem: 'payment-declined' })
  assert.equal(call.claim!.recoveryPoint, 'charge_failed')
  assert.deepEqual([(await read()).status, await journal()], ['charge_failed', []])
  await assert.rejects(approve(), { problem: 'already-decided' })
  await bench.runPending()
  assert.deepEqual(await charges(), ['canceled 2000'])
})

test('approving without a card answers payment-declined and leaves the request pending', async () => {
  const { approve, read } = await createApprovalRequest(null)
  await assert.rejects(approve(), { problem: 'payment-declined' })
  assert.equal((await read()).status, 'pending')
})

test('3-D Secure in an approval: the same user continues it with or without a key; others get already-decided', async () => {
  for (const withKey of [true, false]) {
    const { owner, createMember, approve, read, charges, journal } = await createApprovalRequest('pm_card_3ds')
    const call = withKey ? withIdempotencyKey(owner) : owner
    const first = await approve(call).then(
      () => assert.fail('was not challenged'),
      (error: { problem: string; extra: { client_secret: string } }) => error,
    )
    assert.equal(first.problem, 'payment-action-required')
    assert.equal((await read()).status, 'approved')
    await assert.rejects(approve(await createMember('admin')), { problem: 'already-decided' })
    await assert.rejects(approve(call), { problem: 'payment-action-required', extra: first.extra })
    await holdings.payments.settleChallenge(first.extra.client_secret, 'complete')
    const decided = await approve(call)
    assert.equal(decided.status, 'completed')
    if (withKey) assert.deepEqual(await approve(call), decided)
    assert.deepEqual([await charges(), await journal()], [['succeeded 2000'], ['purchase 2000', 'tax -182']])
  }
})

test('an abandoned challenge fails the approval', async () => {
  const { approve, read, charges } = await createApprovalRequest('pm_card_3ds')
  await assert.rejects(approve(), { problem: 'payment-action-required' })
  await sweep(1)
  assert.deepEqual([(await read()).status, await charges()], ['charge_failed', ['canceled 2000']])
})

test('an approval whose response was lost is completed by a retry or the sweep, with one charge and one grant', async () => {
  for (const isRetried of [true, false]) {
    const { owner, approve, read, charges, journal } = await createApprovalRequest()
    const call = withIdempotencyKey(owner)
    const callWithLostResponse = withPayments(
      call,
      withLostResponses(holdings.payments, ['charge'], () => true),
    )
    await assert.rejects(approve(callWithLostResponse), { problem: 'upstream' })
    assert.equal((await read()).status, 'approved')
    if (isRetried) await approve(call)
    else await sweep(1)
    assert.equal((await read()).status, 'completed')
    assert.deepEqual([await charges(), await journal()], [['succeeded 2000'], ['purchase 2000', 'tax -182']])
  }
})

test('concurrent approvals of several users charge once', async () => {
  const { owner, createMember, approve, charges, journal } = await createApprovalRequest()
  const settled = await Promise.allSettled([approve(owner), approve(await createMember('admin')), approve(owner)])
  assert.ok(settled.some(({ status }) => status === 'fulfilled'))
  for (const outcome of settled) {
    if (outcome.status === 'rejected') assert.equal(outcome.reason.problem, 'already-decided')
  }
  assert.deepEqual([await charges(), await journal()], [['succeeded 2000'], ['purchase 2000', 'tax -182']])
})

test('requests of other organizations and unknown ones answer not-found', async () => {
  const [ours, theirs] = [await createApprovalRequest(), await createApprovalRequest()]
  for (const id of ['billing.approvals.get', 'billing.approvals.approve', 'billing.approvals.reject']) {
    for (const approval_id of [theirs.id, newId()]) {
      await assert.rejects(callOperation(ours.owner, id, { approval_id }), { problem: 'not-found' })
    }
  }
  const { approvals } = await callOperation<{ approvals: Approval[] }>(ours.owner, 'billing.approvals.list')
  assert.deepEqual(
    approvals.map(({ id }) => id),
    [ours.id],
  )
})
