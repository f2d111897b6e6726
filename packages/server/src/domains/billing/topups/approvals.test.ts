import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { newId } from '../../../platform/ids.ts'
import type { Payments } from '../../../platform/outside/payments/payments.ts'
import { openHoldings, type Holdings } from '../../../../test/holdings.ts'
import { ask, claimOf, losing, payingOrganization } from '../../../../test/paying.ts'
import { openBench, type Bench } from '../../../../test/work.ts'

const hour_ms = 3_600_000

let holdings: Holdings
let bench: Bench
before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
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
  await bench.once('billing.sweep-deadlines')
  await bench.run()
}
const through = (call: Call, payments: Payments): Call => ({ ...call, outside: { ...holdings.outside, payments } })
const keyed = (call: Call): Call => ({ ...call, claim: claimOf() })
const asKey = (call: Call): Call => ({
  ...call,
  principal: { ...call.principal, kind: 'api_key', id: newId(), role: null },
})

/** Creates a request of a member for 2,000 credits. */
async function asked(card: string | null = 'pm_card_good', terms: object = {}) {
  const made = await payingOrganization(holdings, bench, card)
  const member = await made.someone('member')
  const { id } = await ask<Approval>(member, 'billing.approvals.request', { credits: 2000, ...terms })
  const read = async (): Promise<Approval> =>
    (await ask<{ approval: Approval }>(member, 'billing.approvals.get', { approval_id: id })).approval
  const approve = (call: Call = made.owner) => ask<Approval>(call, 'billing.approvals.approve', { approval_id: id })
  const reject = (call: Call = made.owner, reason: string | null = null) =>
    ask<Approval>(call, 'billing.approvals.reject', { approval_id: id, reason })
  return { ...made, member, id, read, approve, reject }
}

test('a member requests a top-up, another user with a billing role approves it, and the default card is charged', async () => {
  const { member, owner, read, approve, journal, charges, topups, deadlines, documents } = await asked()
  const waiting = await read()
  assert.deepEqual([waiting.status, waiting.credits, waiting.aud, waiting.decided_by], ['pending', 2000, 20, null])
  assert.equal(waiting.requested_by, member.principal.id)
  assert.equal(Date.parse(waiting.expires_at) - holdings.clock.now().getTime(), 72 * hour_ms)
  const done = await approve()
  assert.deepEqual([done.status, done.decided_by], ['completed', owner.principal.id])
  assert.deepEqual(await read(), done)
  assert.deepEqual([await journal(), await charges()], [['purchase 2000', 'tax -182'], ['succeeded 2000']])
  assert.deepEqual([(await topups())[0]!.kind, await documents()], ['approval', ['R-000001 2000 paid']])
  assert.deepEqual(await deadlines(), ['card-warning'])
  await assert.rejects(approve(), { problem: 'already-decided' })
  assert.deepEqual(await charges(), ['succeeded 2000'])
})

test('API keys can neither request nor decide, requesters cannot approve, and members cannot decide', async () => {
  const { owner, member, someone, approve, reject, read, charges } = await asked()
  const user = { problem: 'user-required' }
  await assert.rejects(ask(asKey(member), 'billing.approvals.request', { credits: 1 }), user)
  for (const decide of [approve, reject]) {
    await assert.rejects(decide(asKey(owner)), user)
    await assert.rejects(decide(member), { problem: 'forbidden' })
    await assert.rejects(decide(await someone('member')), { problem: 'forbidden' })
  }
  const { id } = await ask<Approval>(owner, 'billing.approvals.request', { credits: 500 })
  const own = { approval_id: id }
  await assert.rejects(ask(owner, 'billing.approvals.approve', own), { problem: 'forbidden' })
  assert.equal(
    (await ask<Approval>(owner, 'billing.approvals.reject', own)).status,
    'rejected',
    'the requester can reject',
  )
  assert.deepEqual([(await read()).status, await charges()], ['pending', []])
  assert.equal((await approve(await someone('billing'))).status, 'completed')
})

test('a rejected request keeps its reason and answers already-decided', async () => {
  const { owner, reject, approve, read, charges, deadlines } = await asked()
  const done = await reject(owner, 'Too much for this month.')
  assert.deepEqual(
    [done.status, done.reason, done.decided_by],
    ['rejected', 'Too much for this month.', owner.principal.id],
  )
  await assert.rejects(approve(), { problem: 'already-decided' })
  await assert.rejects(reject(), { problem: 'already-decided' })
  assert.deepEqual([await read(), await charges(), await deadlines()], [done, [], ['card-warning']])
})

test('an expired request answers gone-expired, before and after the sweep', async () => {
  const { owner, approve, reject, read, charges, id } = await asked('pm_card_good', { expiry_hours: 2 })
  const statuses = async (status: string) =>
    (await ask<{ approvals: Approval[] }>(owner, 'billing.approvals.list', { status })).approvals.map((row) => row.id)
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
  const { owner, approve, read, journal, charges } = await asked('pm_card_declined')
  const call = keyed(owner)
  await assert.rejects(approve(call), { problem: 'payment-declined' })
  assert.equal(call.claim!.point, 'charge_failed')
  assert.deepEqual([(await read()).status, await journal()], ['charge_failed', []])
  await assert.rejects(approve(), { problem: 'already-decided' })
  await bench.run()
  assert.deepEqual(await charges(), ['canceled 2000'])
})

test('approving without a card answers payment-declined and leaves the request pending', async () => {
  const { approve, read } = await asked(null)
  await assert.rejects(approve(), { problem: 'payment-declined' })
  assert.equal((await read()).status, 'pending')
})

test('3-D Secure in an approval: the same user continues it with or without a key; others get already-decided', async () => {
  for (const withKey of [true, false]) {
    const { owner, someone, approve, read, charges, journal } = await asked('pm_card_3ds')
    const call = withKey ? keyed(owner) : owner
    const first = await approve(call).then(
      () => assert.fail('was not challenged'),
      (error: { problem: string; extra: { client_secret: string } }) => error,
    )
    assert.equal(first.problem, 'payment-action-required')
    assert.equal((await read()).status, 'approved')
    await assert.rejects(approve(await someone('admin')), { problem: 'already-decided' })
    await assert.rejects(approve(call), { problem: 'payment-action-required', extra: first.extra })
    await holdings.payments.settleChallenge(first.extra.client_secret, 'complete')
    const done = await approve(call)
    assert.equal(done.status, 'completed')
    if (withKey) assert.deepEqual(await approve(call), done)
    assert.deepEqual([await charges(), await journal()], [['succeeded 2000'], ['purchase 2000', 'tax -182']])
  }
})

test('an abandoned challenge fails the approval', async () => {
  const { approve, read, charges } = await asked('pm_card_3ds')
  await assert.rejects(approve(), { problem: 'payment-action-required' })
  await sweep(1)
  assert.deepEqual([(await read()).status, await charges()], ['charge_failed', ['canceled 2000']])
})

test('I30: an approval whose response was lost is completed by a retry or the sweep, with one charge and one grant', async () => {
  for (const again of [true, false]) {
    const { owner, approve, read, charges, journal } = await asked()
    const call = keyed(owner)
    const unlucky = through(
      call,
      losing(holdings.payments, ['charge'], () => true),
    )
    await assert.rejects(approve(unlucky), { problem: 'upstream' })
    assert.equal((await read()).status, 'approved')
    if (again) await approve(call)
    else await sweep(1)
    assert.equal((await read()).status, 'completed')
    assert.deepEqual([await charges(), await journal()], [['succeeded 2000'], ['purchase 2000', 'tax -182']])
  }
})

test('concurrent approvals of several users charge once', async () => {
  const { owner, someone, approve, charges, journal } = await asked()
  const settled = await Promise.allSettled([approve(owner), approve(await someone('admin')), approve(owner)])
  assert.ok(settled.some(({ status }) => status === 'fulfilled'))
  for (const outcome of settled) {
    if (outcome.status === 'rejected') assert.equal(outcome.reason.problem, 'already-decided')
  }
  assert.deepEqual([await charges(), await journal()], [['succeeded 2000'], ['purchase 2000', 'tax -182']])
})

test('requests of other organizations and unknown ones answer not-found', async () => {
  const [ours, theirs] = [await asked(), await asked()]
  for (const id of ['billing.approvals.get', 'billing.approvals.approve', 'billing.approvals.reject']) {
    for (const approval_id of [theirs.id, newId()]) {
      await assert.rejects(ask(ours.owner, id, { approval_id }), { problem: 'not-found' })
    }
  }
  const { approvals } = await ask<{ approvals: Approval[] }>(ours.owner, 'billing.approvals.list')
  assert.deepEqual(
    approvals.map(({ id }) => id),
    [ours.id],
  )
})
