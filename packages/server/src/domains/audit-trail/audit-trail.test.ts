import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Type from 'typebox'
import { operation, type Operation } from '@swath/contract/operation.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { adminOrgsSetPlanOperation } from '@swath/contract/operations/admin.orgs.ts'
import { itemsCreateOperation, itemsDeleteOperation } from '@swath/contract/operations/items.ts'
import { organizationsCreateOperation } from '@swath/contract/operations/organizations.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { isAuditedOperation, type AuditedCall, type CallAudit } from '../../engine/call-audit.ts'
import type { Principal } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createLogger } from '../../platform/log.ts'
import { createCallAuditStarter } from './audit-trail.ts'
import { platformOrganizationId, type AuditEntryRow } from './entry.ts'
import { sealAuditEntries } from './seal.ts'
import { listAuditEntries } from './store.ts'
import { findAuditTargetRule, auditTargetRules } from './targets.ts'

let services: TestServices
let organization: string
let user: Principal
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const noFilter = {
  principal_id: null,
  operation: null,
  target_type: null,
  target_id: null,
  outcome: null,
  problem: null,
  from: null,
  until: null,
}

const listRows = (of: string): Promise<AuditEntryRow[]> =>
  listAuditEntries(services.database.forOrganization(of), of, { filter: noFilter, before: null, limit: 100 })

/** Starts the row of a call in a new organization, unless the test passes a principal of its own. */
async function startCall(called: unknown = itemsDeleteOperation, own: Partial<Principal> = {}): Promise<CallAudit> {
  const created = await services.createOrganization()
  organization = created.organization
  user = { ...created.owner.principal, ...own }
  return startAgain(called)
}

const createTrail = () =>
  createCallAuditStarter({
    database: services.database,
    clock: services.clock,
    log: createLogger({ level: 'fatal' }),
  })

function startAgain(called: unknown = itemsDeleteOperation, trail = createTrail()): CallAudit {
  const call: AuditedCall = { principal: user, operation: called as Operation, requestId: 'r-1', address: '192.0.2.7' }
  return trail(call)
}

const connection = () => services.database.forOrganization(organization)
const write = sql`select 1`
const noOutput = () => null

test('the row of a call is written in the transaction of its change, with the data of the caller', async () => {
  const audit = await startCall()
  const item_id = newId()
  audit.setInput({ item_id })
  await audit.attach(connection()).transaction((tx) => tx.query(write))
  const [committed] = await listRows(organization)
  assert.equal(committed?.outcome, 'succeeded')
  await audit.end({ kind: 'succeeded', output: () => assert.fail('the input names the target already') })
  const [row, ...others] = await listRows(organization)
  assert.deepEqual(others, [])
  assert.deepEqual(row, committed)
  const { id: _, at, ...rest } = row!
  assert.deepEqual(at, services.clock.now())
  assert.deepEqual(rest, {
    organization_id: organization,
    principal_kind: 'human',
    principal_id: user.id,
    operation: 'items.delete',
    target_type: 'item',
    target_id: item_id,
    reason: null,
    request_id: 'r-1',
    address: '192.0.2.7',
    outcome: 'succeeded',
    problem: null,
    position: null,
    hash: null,
  })
})

test('a transaction that is rolled back leaves no row, and the refusal of the call leaves one', async () => {
  const audit = await startCall()
  audit.setInput({ item_id: newId() })
  const db = audit.attach(connection())
  await assert.rejects(db.transaction(() => Promise.reject(new Error('no'))))
  assert.deepEqual(await listRows(organization), [])
  await audit.end({ kind: 'failed', problem: 'not-found', status: 404 })
  const rows = await listRows(organization)
  assert.deepEqual(
    rows.map(({ outcome, problem }) => [outcome, problem]),
    [['refused', 'not-found']],
  )
})

test('only the first of several transactions writes the row, also of those that run at once', async () => {
  const audit = await startCall()
  const db = audit.attach(connection())
  await Promise.all([1, 2, 3].map(() => db.transaction((tx) => tx.query(write))))
  await db.transaction((tx) => tx.query(write))
  await audit.end({ kind: 'succeeded', output: noOutput })
  assert.equal((await listRows(organization)).length, 1)
})

test('a call that fails after its change was committed is recorded as failed in the same row', async () => {
  const audit = await startCall()
  await audit.attach(connection()).transaction((tx) => tx.query(write))
  await audit.end({ kind: 'failed', problem: 'internal', status: 500 })
  const rows = await listRows(organization)
  assert.deepEqual(
    rows.map(({ outcome, problem }) => [outcome, problem]),
    [['failed', 'internal']],
  )
})

test('a call without a transaction leaves its row at its end, with the id that only the output names', async () => {
  const audit = await startCall(organizationsCreateOperation)
  const id = newId()
  await audit.end({ kind: 'succeeded', output: () => ({ id }) })
  const [row] = await listRows(organization)
  assert.deepEqual([row?.target_type, row?.target_id], ['organization', id])
})

test('the row of a creation has the id that its transaction returns, and the end of the call corrects another one', async () => {
  const id = newId()
  const create = async (result: unknown): Promise<(string | null)[]> => {
    const audit = await startCall(itemsCreateOperation)
    audit.setInput({ project_id: newId(), name: 'x' })
    await audit.attach(connection()).transaction(async (tx) => {
      await tx.query(write)
      return result
    })
    const [committed] = await listRows(organization)
    await audit.end({ kind: 'succeeded', output: () => ({ id }) })
    const [row, ...others] = await listRows(organization)
    assert.deepEqual(others, [])
    return [committed!.target_id, row!.target_id]
  }
  const other = newId()
  assert.deepEqual(await create({ id }), [id, id])
  assert.deepEqual(await create({ id: other }), [other, id])
  assert.deepEqual(await create(undefined), [null, id])
})

test('the row of a user without an organization is in the one that they create', async () => {
  const audit = await startCall(organizationsCreateOperation, { organization: null })
  await audit.end({ kind: 'succeeded', output: () => ({ id: organization }) })
  assert.equal((await listRows(organization)).length, 1)
})

test('an administrator leaves the row in the named organization with the reason, and a refused one in that of the platform', async () => {
  const audit = await startCall(adminOrgsSetPlanOperation, { administrator: true })
  const { organization: other } = await services.createOrganization()
  audit.setInput({ organization_id: other, reason: 'They asked for it.', plan: 'free' })
  await audit.attach(services.database.unscoped).transaction((tx) => tx.query(write))
  await audit.end({ kind: 'succeeded', output: noOutput })
  const [row] = await listRows(other)
  assert.deepEqual([row?.reason, row?.principal_id], ['They asked for it.', user.id])
  const refused = startAgain(adminOrgsSetPlanOperation)
  refused.setInput({ organization_id: newId(), reason: 'x' })
  await refused.end({ kind: 'failed', problem: 'not-found', status: 404 })
  assert.deepEqual(await listRows(organization), [])
  assert.equal(
    (await listRows(platformOrganizationId)).filter(({ principal_id }) => principal_id === user.id).length,
    1,
  )
})

test('equal refusals of one minute leave one row, whichever process refuses', async () => {
  const trail = createTrail()
  await (await startCall()).end({ kind: 'failed', problem: 'not-found', status: 404 })
  for (const one of [trail, trail, createTrail()]) {
    await startAgain(itemsDeleteOperation, one).end({ kind: 'failed', problem: 'not-found', status: 404 })
  }
  assert.equal((await listRows(organization)).length, 1)
  await startAgain(itemsDeleteOperation, trail).end({ kind: 'failed', problem: 'validation', status: 422 })
  assert.equal((await listRows(organization)).length, 2)
  services.clock.advance(60_000)
  await startAgain(itemsDeleteOperation, trail).end({ kind: 'failed', problem: 'not-found', status: 404 })
  assert.equal((await listRows(organization)).length, 3)
})

test('a call that rate limits refuse, and a refused visitor, leave no row', async () => {
  await (await startCall()).end({ kind: 'failed', problem: 'rate-limited', status: 429 })
  assert.deepEqual(await listRows(organization), [])
  const visitor = await startCall(itemsDeleteOperation, { user: null, organization: null, id: 'visitor' })
  await visitor.end({ kind: 'failed', problem: 'not-found', status: 404 })
  assert.ok((await listRows(platformOrganizationId)).every(({ principal_id }) => principal_id !== 'visitor'))
})

test('a visitor leaves the row in the organization whose link they showed', async () => {
  const audit = await startCall(itemsDeleteOperation, { user: null, organization: null, id: 'visitor' })
  audit.setOrganization(organization)
  await audit.end({ kind: 'succeeded', output: noOutput })
  assert.equal((await listRows(organization))[0]?.principal_kind, 'visitor')
})

test('dry runs and stored responses are recorded with outcomes of their own', async () => {
  const audit = await startCall()
  audit.setInput({ item_id: newId(), dry_run: true })
  await audit.end({ kind: 'succeeded', output: noOutput })
  const again = startAgain()
  again.setInput({ item_id: newId() })
  await again.end({ kind: 'replayed', output: noOutput })
  assert.deepEqual(
    (await listRows(organization)).map(({ outcome }) => outcome),
    ['replayed', 'dry_run'],
  )
})

test('a call that ends otherwise after its row was sealed leaves a second row', async () => {
  const audit = await startCall()
  await audit.attach(connection()).transaction((tx) => tx.query(write))
  services.clock.advance(1000)
  assert.equal(await sealAuditEntries(connection(), organization, { before: services.clock.now() }), 1)
  await audit.end({ kind: 'failed', problem: 'internal', status: 500 })
  const rows = await listRows(organization)
  assert.deepEqual(
    rows.map(({ outcome, position, request_id }) => [outcome, position, request_id]),
    [
      ['failed', null, 'r-1'],
      ['succeeded', 1, 'r-1'],
    ],
  )
})

test('a row that cannot be written does not fail the call', async () => {
  const audit = await startCall()
  audit.setInput({ item_id: 'nul \u0000 is not a text of the database' })
  await audit.end({ kind: 'succeeded', output: noOutput })
  assert.deepEqual(await listRows(organization), [])
})

test('every write operation has a rule for its target, whose fields its schemas have', () => {
  const writes = operationRegistry.filter((entry) => isAuditedOperation(entry))
  const propertiesOf = (schema: unknown): Readonly<Record<string, unknown>> =>
    (schema as { properties?: Record<string, unknown> }).properties ?? {}
  for (const entry of writes) {
    const rule = findAuditTargetRule(entry.id)
    assert.notEqual(rule, undefined, `add ${entry.id} to auditTargetRules`)
    if (!rule) continue
    const fromInput = rule.input !== null && Object.hasOwn(propertiesOf(entry.input), rule.input)
    const outputField = rule.output?.split('.')[0]
    const fromOutput = outputField !== undefined && Object.hasOwn(propertiesOf(entry.output), outputField)
    assert.ok(fromInput || fromOutput || entry.id === 'stac.items.create', `${entry.id} never names its ${rule.type}`)
  }
  for (const key of Object.keys(auditTargetRules)) {
    const isUsed = writes.some(({ id }) => findAuditTargetRule(id) === auditTargetRules[key])
    assert.ok(isUsed, `no operation uses the row ${key}`)
  }
})

test('no field of an input is stored but ids of targets and reasons of administrators', async () => {
  const secret = operation({
    id: 'share.link.create',
    scope: 'shares:write',
    effect: 'export',
    summary: 'x',
    input: Type.Object({}),
    output: Type.Object({}),
  })
  const audit = await startCall(secret)
  const input = { password: 'p-ssw0rd', token: 't-ken', reason: 'r-ason', name: 'n-me', id: 'i-put', dry_run: 'no' }
  audit.setInput(input)
  await audit.end({ kind: 'succeeded', output: () => ({ id: newId(), token: 't-ken' }) })
  const text = JSON.stringify(await listRows(organization))
  for (const value of Object.values(input)) assert.ok(!text.includes(`"${value}"`), value)
})
