import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createManualClock } from '../../../platform/clock.ts'
import { createTaskingHost, type TestTaskingHost } from '../../../../test/hosts/tasking-host.ts'
import { smallScenes } from '../../../../test/hosts/faulty-host.ts'
import { assertLedgerConsistent, assertUnchanged } from '../../../../test/ledger-assertions.ts'
import {
  advanceOrders,
  findCaptures,
  getEntityEvents,
  getWalletBalance,
  waitForOrder,
  waitForOrderTasks,
} from '../../../../test/orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'

const start = new Date('2030-03-01T01:00:00Z')
const clock = createManualClock(new Date())
let app: TestApp
let host: TestTaskingHost
let org: TestOrganization
let area: Record<string, unknown>
before(async () => {
  host = await createTaskingHost('sky')
  app = await startTestApp({ hosts: [host], clock, background: immediateRetries })
  await startOrganization()
})
after(() => app?.close())

/** The members of responses of `/v2` that the tests read. */
interface Json {
  readonly totalPages: number
  readonly content: readonly StudyJson[]
  readonly type: string
  readonly workspaceId: string
  readonly orderDetails: object
}

interface StudyJson {
  readonly id: string
  readonly orderId: string
  readonly decision: string
  readonly decisionAt: string | null
  readonly decisionOption: { readonly id: string } | null
  readonly options: readonly { readonly id: string }[]
}

/** A new organization at a time an hour after a pass, with a host without faults. */
async function startOrganization(credits = 1_000_000): Promise<void> {
  org = await createTestOrganization(app, credits)
  clock.advance(start.getTime() - clock.now().getTime(), org.organization)
  for (const set of [host.cloudyPasses, host.occupiedPasses, host.refusedTasks]) set.clear()
  host.study = 'ready'
  const [capture] = await findCaptures(org.owner.client, 'sky', [smallScenes[0]])
  area = capture!.geometry
}

/** Moves the time of the organization and runs the due work. */
const advance = (hours: number): Promise<void> => advanceOrders(app, clock, org.organization, hours)

const product = (workflow: string) => `sky:${workflow}`
const later = (days: number) => new Date(start.getTime() + days * 86_400_000).toISOString()

async function place(workflow: string, params: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const placed = await org.owner.client.call<{ id: string; totalCredits: number; status: string }>(
    'orders.tasking.place',
    {
      workspaceId: org.project,
      dataProduct: product(workflow),
      groups: [{ geometry: area, acquisitionEnd: later(10) }],
      params,
      ...more,
    } as never,
  )
  await waitForOrderTasks(app)
  return placed
}

const read = (order_id: string) => org.owner.client.call('orders.get', { order_id })
const eventKinds = async (order_id: string) =>
  (await getEntityEvents(org.owner.client, order_id)).map(({ event_type }) => event_type)
const subStatuses = async (order_id: string) =>
  (await org.owner.client.call('orders.timeline', { order_id })).entries.flatMap(({ sub_status }) => sub_status ?? [])

test('from an opportunity to pixels', async () => {
  const { client } = org.owner
  const { sensors } = await client.call('orders.tasking.sensors', {})
  const sensor = sensors.find(({ host: name }) => name === 'sky')
  assert.equal(sensor?.resolution, '50cm')
  assert.deepEqual(
    sensor?.products.map(({ workflow }) => workflow),
    ['direct', 'study', 'quotation'],
  )
  const request = {
    dataProduct: product('direct'),
    featureCollection: { type: 'FeatureCollection', features: [{ type: 'Feature', geometry: area, properties: {} }] },
    params: { acquisitionEnd: later(2) },
  } as const
  const { opportunities } = await client.call('orders.tasking.opportunities_list', request as never)
  assert.equal(opportunities.length, 4)
  const [, pass] = opportunities
  assert.deepEqual(
    [pass!.acquisitionStart, pass!.probability, pass!.sunElevation],
    ['2030-03-02T00:00:00.000Z', 0.7, 41],
  )
  assert.equal(pass!.cancelBy, '2030-03-01T18:00:00.000Z')
  const { groups } = await client.call('orders.tasking.estimate', {
    groups: [{ geometry: area, dataProduct: product('direct') }],
  })
  assert.equal(groups[0]?.credits, pass!.creditsPrice)
  const balance = await getWalletBalance(client)
  const placed = await place('direct', { opportunityId: pass!.id })
  assert.deepEqual([placed.status, placed.totalCredits], ['awaiting_data', pass!.creditsPrice])
  assert.deepEqual(await getWalletBalance(client), {
    available: balance.available - placed.totalCredits,
    held: balance.held + placed.totalCredits,
  })
  await waitForOrder(client, placed.id, 'PLACED')
  assert.equal((await read(placed.id)).orderType, 'tasking')
  await advance(22.5)
  assert.equal((await read(placed.id)).subStatus, 'TASKED')
  await advance(1)
  assert.equal((await read(placed.id)).subStatus, 'COLLECTED')
  await advance(5)
  const order = await waitForOrder(client, placed.id, 'FULFILLED')
  assert.deepEqual([order.creditsCaptured, order.fulfillment, order.itemCount], [placed.totalCredits, 'complete', 1])
  assert.deepEqual(await subStatuses(placed.id), [
    'QUOTATION_ACCEPTED',
    'SCHEDULED',
    'TASKED',
    'COLLECTED',
    'DOWNLINKED',
    'PROCESSING',
    'DELIVERING',
  ])
  assert.deepEqual(await eventKinds(placed.id), [
    'order.created',
    'order.placed',
    ...Array<string>(6).fill('tasking.progressed'),
    'order.being_fulfilled',
    'order.fulfilled',
  ])
  const { features } = await client.call('orders.list_assets', { order_id: placed.id })
  const feature = await client.call('items.get_stac', { item_id: features[0]!.item_id })
  assert.equal((feature.properties as Record<string, unknown>)['service:source'], 'TASKING')
  const coverage = await client.call('orders.coverage.get', { order_id: placed.id })
  assert.ok(coverage.covered.percentage > 99)
  assert.equal(host.placedTaskIds.length, 1)
  await assertLedgerConsistent(app)
})

test('a group that cannot be priced is an error of its own', async () => {
  const estimate = await org.owner.client.call('orders.tasking.estimate', {
    groups: [
      { geometry: area, dataProduct: product('direct') },
      { geometry: area, dataProduct: product('quotation') },
      { geometry: { type: 'Point', coordinates: [0, 0] }, dataProduct: product('direct') },
      { geometry: area, dataProduct: 'sky:nothing' },
      { geometry: area, dataProduct: product('direct'), acquisitionEnd: '2029-01-01T00:00:00Z' },
      { geometry: area, dataProduct: product('direct'), params: { maxCloudCover: 101 } },
    ],
  })
  assert.deepEqual(
    estimate.groups.map(({ index }) => index),
    [0],
  )
  assert.deepEqual(
    estimate.errors.map(({ index, code }) => [index, code]),
    [
      [1, 'quotation-required'],
      [2, 'not-a-polygon'],
      [3, 'unknown-product'],
      [4, 'invalid-window'],
      [5, 'invalid-params'],
    ],
  )
})

test('an option of a study is accepted, held at its price and acquired', async () => {
  await startOrganization()
  const { client } = org.owner
  const placed = await place('study')
  assert.equal(placed.totalCredits, 0)
  assert.equal((await read(placed.id)).subStatus, 'FEASIBILITY_WAITING_RESPONSE')
  const { content } = await client.call('orders.tasking.decisions.pending', {})
  assert.deepEqual(
    content.map(({ kind, orderId }) => [kind, orderId]),
    [['feasibility', placed.id]],
  )
  const [study] = (await client.call('orders.tasking.feasibility_studies.list', { orderId: placed.id })).content
  const [, option] = study!.options
  await assert.rejects(
    client.call('orders.tasking.feasibility_decide', { study_id: study!.id, acceptedOptionId: 'nothing' }),
    { problem: 'validation' },
  )
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () =>
      client.call('orders.tasking.feasibility_decide', { study_id: study!.id, acceptedOptionId: option!.id }),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal((outcome.reason as { problem: string }).problem, 'already-decided')
  await waitForOrder(client, placed.id, 'PLACED')
  const order = await read(placed.id)
  assert.equal(order.totalCredits, option!.creditsPrice)
  assert.equal((await getWalletBalance(client)).held, option!.creditsPrice)
  await advance(48)
  const done = await waitForOrder(client, placed.id, 'FULFILLED')
  assert.equal(done.creditsCaptured, option!.creditsPrice)
  assert.deepEqual((await eventKinds(placed.id)).slice(0, 4), [
    'order.created',
    'feasibility.requested',
    'feasibility.answered',
    'quotation.accepted',
  ])
  await assertLedgerConsistent(app)
})

test('a study that is not decided in time expires and ends its order', async () => {
  await startOrganization()
  const { client } = org.owner
  const placed = await place('study')
  const [study] = (await client.call('orders.tasking.feasibility_studies.list', {})).content
  await advance(7 * 24 + 1)
  const order = await read(placed.id)
  assert.deepEqual(
    [order.status, order.subStatus, order.failureReason?.code],
    ['FAILED_PERMANENTLY', 'EXPIRED', 'expired'],
  )
  const decide = { study_id: study!.id, acceptedOptionId: study!.options[0]!.id }
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.tasking.feasibility_decide', decide), { problem: 'quote-expired' }),
  )
  assert.equal((await client.call('orders.tasking.decisions.pending', {})).totalElements, 0)
  assert.deepEqual((await eventKinds(placed.id)).at(-1), 'order.failed')
})

test('an area that cannot be acquired ends the order with the reason of the host', async () => {
  await startOrganization()
  host.study = 'infeasible'
  const placed = await place('study')
  const order = await read(placed.id)
  assert.deepEqual(
    [order.subStatus, order.failureReason],
    ['NOT_FEASIBLE', { code: 'not_feasible', text: 'The area is always in the dark.' }],
  )
})

async function offer(order_id: string, creditsPrice: number): Promise<string> {
  const { quotation } = await app.admin.call('admin.tasking.quotation_upload', {
    organization_id: org.organization,
    order_id,
    creditsPrice,
    reason: 'the offer of the provider',
  })
  return quotation.id
}

test('a quotation is superseded by a newer one, which is rejected and cancels the order', async () => {
  await startOrganization()
  const { client } = org.owner
  const placed = await place('quotation')
  assert.equal((await read(placed.id)).subStatus, 'QUOTATION_WAITING_UPLOAD')
  const first = await offer(placed.id, 5000)
  const second = await offer(placed.id, 4000)
  await assert.rejects(client.call('orders.tasking.quotation_decide', { quotation_id: first, decision: 'ACCEPTED' }), {
    problem: 'already-decided',
  })
  const { quotation } = await client.call('orders.tasking.quotation_decide', {
    quotation_id: second,
    decision: 'REJECTED',
  })
  assert.equal(quotation.decision, 'REJECTED')
  const order = await read(placed.id)
  assert.deepEqual([order.status, order.subStatus], ['CANCELED', 'QUOTATION_REJECTED'])
  assert.deepEqual(await eventKinds(placed.id), [
    'order.created',
    'quotation.requested',
    'quotation.requested',
    'quotation.rejected',
    'order.cancelled',
  ])
  const { content } = await client.call('orders.tasking.quotations.list', { sort: 'creditsPrice,asc' })
  assert.deepEqual(
    content.map(({ decision }) => decision),
    ['REJECTED', 'SUPERSEDED'],
  )
})

test('a payment that is refused leaves the quotation undecided, and it is accepted when it can be paid', async () => {
  await startOrganization(100)
  const { client } = org.owner
  const placed = await place('quotation')
  const quotation_id = await offer(placed.id, 5000)
  const accept = { quotation_id, decision: 'ACCEPTED' } as const
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.tasking.quotation_decide', accept), { problem: 'insufficient-credits' }),
  )
  await app.admin.call('admin.orgs.credit_adjust', {
    organization_id: org.organization,
    amount_credits: 5000,
    reason: 'a top-up',
  })
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.tasking.quotation_decide', { ...accept, max_credits: 4999 }), {
      problem: 'spend-limit-exceeded',
    }),
  )
  const preview = await assertUnchanged(app, () =>
    client.call('orders.tasking.quotation_decide', { ...accept, dry_run: true }),
  )
  assert.equal(preview.dry_run?.entries[0]?.amount_credits, -5000)
  await client.call('orders.tasking.quotation_decide', accept)
  await waitForOrder(client, placed.id, 'PLACED')
  assert.equal((await getWalletBalance(client)).held, 5000)
  await assertLedgerConsistent(app)
})

test('a cloudy collection is planned again at the same price', async () => {
  await startOrganization()
  host.cloudyPasses.add(0)
  const placed = await place('direct', { replan: true, maxCloudCover: 20 })
  await advance(14)
  assert.equal((await read(placed.id)).subStatus, 'SCHEDULED')
  assert.deepEqual(await subStatuses(placed.id), [
    'QUOTATION_ACCEPTED',
    'SCHEDULED',
    'TASKED',
    'COLLECTED',
    'SCHEDULED',
  ])
  assert.ok((await eventKinds(placed.id)).includes('tasking.replanned'))
  await advance(24)
  const order = await waitForOrder(org.owner.client, placed.id, 'FULFILLED')
  assert.equal(order.creditsCaptured, placed.totalCredits)
})

test('a cloudy collection without a new plan fails the order and releases its hold', async () => {
  await startOrganization()
  host.cloudyPasses.add(0)
  const before = await getWalletBalance(org.owner.client)
  const placed = await place('direct')
  await advance(14)
  const order = await read(placed.id)
  assert.deepEqual([order.status, order.failureReason?.code], ['FAILED_PERMANENTLY', 'cloud_cover'])
  assert.deepEqual(await getWalletBalance(org.owner.client), before)
})

test('an occupied pass is refused', async () => {
  await startOrganization()
  host.occupiedPasses.add(0)
  const opportunityId = 'pass-2030-03-01T12:00:00.000Z'
  await assertUnchanged(app, () => assert.rejects(place('direct', { opportunityId }), { problem: 'invalid-state' }))
  const placed = await place('direct')
  await waitForOrder(org.owner.client, placed.id, 'PLACED')
  await advance(0)
  assert.equal((await read(placed.id)).cancellation.cancel_by, '2030-03-01T18:00:00.000Z')
})

test('an order is cancelled with the fee shown before its deadline, and not after it', async () => {
  await startOrganization()
  const { client } = org.owner
  const early = await place('direct')
  const late = await place('direct')
  await waitForOrder(client, late.id, 'PLACED')
  const { cancellation } = await read(early.id)
  const fee = Math.ceil(early.totalCredits / 10)
  assert.deepEqual(cancellation, {
    is_cancellable: true,
    cancellable_until: 'BEING_FULFILLED',
    fee_credits: fee,
    cancel_by: '2030-03-01T06:00:00.000Z',
  })
  await client.call('orders.cancel', { order_id: early.id, max_credits: fee })
  assert.deepEqual(host.cancelledReferences.length, 1)
  assert.equal((await read(early.id)).creditsCaptured, fee)
  await advance(6)
  assert.equal((await read(late.id)).cancellation.is_cancellable, false)
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.cancel', { order_id: late.id }), { problem: 'invalid-state' }),
  )
  await assertLedgerConsistent(app)
})

test('an order without an accepted price is cancelled free of charge, and its study withdrawn', async () => {
  await startOrganization()
  const { client } = org.owner
  const placed = await place('study')
  await client.call('orders.cancel', { order_id: placed.id })
  const [study] = (await client.call('orders.tasking.feasibility_studies.list', {})).content
  assert.equal(study?.decision, 'WITHDRAWN')
  assert.equal((await read(placed.id)).subStatus, 'WITHDRAWN')
})

test('a member above the spend limit cannot order, and nothing is written', async () => {
  await startOrganization()
  const member = await org.addMember('member')
  await org.owner.client.call('projects.add_member', {
    project_id: org.project,
    user_id: member.user,
    role: 'editor',
  })
  await org.owner.client.call('organizations.members.set_spend_limit', { userId: member.user, perOrderLimitCredits: 1 })
  const request = { workspaceId: org.project, dataProduct: product('direct'), groups: [{ geometry: area }] }
  await assertUnchanged(app, () =>
    assert.rejects(member.client.call('orders.tasking.place', request as never), { problem: 'spend-limit-exceeded' }),
  )
})

test('of two areas, one of which is refused, the other is delivered and charged alone', async () => {
  await startOrganization()
  const { client } = org.owner
  const [, other] = await findCaptures(client, 'sky', [...smallScenes])
  const groups = [
    { geometry: area, name: 'first' },
    { geometry: other!.geometry, name: 'second' },
  ]
  const count = new Set(host.placedTaskIds).size
  host.refusedTasks.add(count + (count % 2))
  if (count % 2 === 1) await place('direct')
  const placed = await place('direct', {}, { groups })
  await waitForOrder(client, placed.id, 'PLACED')
  await advance(24)
  const order = await waitForOrder(client, placed.id, 'FULFILLED')
  assert.equal(order.fulfillment, 'partial')
  const [, second] = (await read(placed.id)).groups
  assert.equal(order.creditsCaptured, second!.credits)
  assert.equal(order.creditsRefunded, placed.totalCredits - second!.credits)
  await assertLedgerConsistent(app)
})

test('a repeated placement with the same idempotency key is one order and one task', async () => {
  await startOrganization()
  const request = { workspaceId: org.project, dataProduct: product('direct'), groups: [{ geometry: area }] }
  const options = { idempotencyKey: 'the same key' }
  const { client } = org.owner
  const first = await client.call<{ id: string }>('orders.tasking.place', request as never, options)
  const second = await client.call<{ id: string }>('orders.tasking.place', request as never, options)
  assert.equal(first.id, second.id)
})

test('the routes of the tasking client answer as it expects', async () => {
  await startOrganization()
  const { client } = org.owner
  const placed = await place('study')
  const read = async (path: string) => (await (await client.fetch(path)).json()) as Json
  const studies = await read(
    '/v2/tasking/feasibility-studies?decision=NOT_DECIDED&decision=ACCEPTED&sort=createdAt,desc',
  )
  assert.equal(studies.totalPages, 1)
  const study = studies.content[0]!
  assert.deepEqual([study.decisionAt, study.decisionOption, study.orderId], [null, null, placed.id])
  const decide = (id: string) =>
    client.fetch(`/v2/tasking/feasibility-studies/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ acceptedOptionId: study.options[0]!.id }),
      headers: { 'content-type': 'application/json' },
    })
  const decided = await decide(study.id)
  assert.equal(decided.status, 200)
  const { id, decision, decisionOption } = (await decided.json()) as StudyJson
  assert.deepEqual([id, decision, decisionOption?.id], [study.id, 'ACCEPTED', study.options[0]!.id])
  assert.equal((await decide(study.id)).status, 405)
  assert.equal((await decide('unknown')).status, 404)
  assert.ok((await client.fetch('/v2/tasking/feasibility')).headers.has('deprecation'))
  const order = await read(`/orders/${placed.id}`)
  assert.deepEqual([order.type, order.workspaceId], ['TASKING', org.project])
  assert.deepEqual(Object.keys(order.orderDetails).slice(0, 3), ['acquisitionStart', 'acquisitionEnd', 'geometry'])
  const { content } = await read('/tasking/quotation?orderId=' + placed.id)
  assert.deepEqual(content, [])
})

test('a template sets the constraints of an order, and is replaced by name', async () => {
  const { client } = org.owner
  const settings = {
    name: 'Clear',
    resolution: '50cm',
    sensor: 'optical',
    capture_frequency: 'once',
    datum: 'WGS84',
    file_format: 'COG',
  }
  const first = await client.call('orders.tasking.templates.save', { ...settings, max_cloud_coverage: 5 })
  const second = await client.call('orders.tasking.templates.save', { ...settings, max_cloud_coverage: 15 })
  assert.equal(second.id, first.id)
  const placed = await place('direct', {}, { template_id: first.id })
  assert.equal((await read(placed.id)).tasking?.maxCloudCover, 15)
  await client.call('orders.tasking.templates.delete', { template_id: first.id })
  await assert.rejects(client.call('orders.tasking.templates.get', { template_id: first.id }), { problem: 'not-found' })
  assert.equal((await client.call('orders.tasking.templates.list', {})).total, 0)
})

test('an operator answers a study, offers a price and reports stages for a provider without a system', async () => {
  await startOrganization()
  host.study = null
  const { client } = org.owner
  const placed = await place('study')
  const target = { organization_id: org.organization, order_id: placed.id, reason: 'by telephone' }
  const { study } = await app.admin.call('admin.tasking.study_upload', {
    ...target,
    options: [{ description: 'In spring', acquisitionStart: later(1), acquisitionEnd: later(5) }],
  })
  await client.call('orders.tasking.feasibility_decide', {
    study_id: study!.id,
    acceptedOptionId: study!.options[0]!.id,
  })
  assert.equal((await read(placed.id)).subStatus, 'QUOTATION_WAITING_UPLOAD')
  const quotation_id = await offer(placed.id, 700)
  await client.call('orders.tasking.quotation_decide', { quotation_id, decision: 'ACCEPTED' })
  await waitForOrder(client, placed.id, 'PLACED')
  await waitForOrderTasks(app)
  const move = (transition: 'task' | 'fail' | 'process') =>
    app.admin.call('admin.tasking.order_transition', { ...target, transition, reason_code: 'competition' })
  await assert.rejects(move('process'), { problem: 'invalid-state' })
  assert.equal((await move('task')).subStatus, 'TASKED')
  assert.equal((await move('fail')).status, 'FAILED_PERMANENTLY')
  assert.equal((await getWalletBalance(client)).held, 0)
  await assertLedgerConsistent(app)
})
