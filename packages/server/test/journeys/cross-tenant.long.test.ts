import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '@swath/contract/operation.ts'
import { findOperation, operationRegistry } from '@swath/contract/registry.ts'
import { contractRoutes, type ContractRoute } from '@swath/contract/routes.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import type { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import { findProjectOfEntity } from '../../src/domains/events/store.projects.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { hiddenFromOutsiders, memberReadable } from '../accounts/access-exceptions.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertUnchanged } from '../ledger-assertions.ts'
import {
  createExample,
  exclusiveIdOperations,
  findIdFields,
  findRequiringIdFields,
  idFilters,
  sourceOf,
} from '../contract/id-sources.ts'
import { createTenantFixtures, type TenantFixtures } from '../contract/tenant-fixtures.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { waitForProcessorEvents } from '../billing-helpers.ts'
import { waitForOrderTasks } from '../orders.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
/** Two organizations with an entity of every kind. */
let mine: TenantFixtures
let theirs: TenantFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  mine = await createTenantFixtures(app)
  theirs = await createTenantFixtures(app)
  await waitForOrderTasks(app)
  await waitForProcessorEvents(app)
})
after(() => app?.close())

/** Operations that a member may call: not public, and not for platform operators only. */
const memberOperations = operationRegistry.filter(
  ({ id, scope, public: open }) =>
    !open && !(scope !== null && isPrivilegedScope(scope)) && id !== 'organizations.create',
)

async function send(
  fixtures: TenantFixtures,
  operation: Operation,
  input: object,
): Promise<{ status: number; text: string }> {
  const response = await fixtures.client.fetch(`/v1/op/${operation.id}`, {
    method: 'POST',
    body: JSON.stringify(input),
  })
  return { status: response.status, text: await response.text() }
}

/** Replaces ids and removes the trace id, so that responses can be compared. */
const stripIds = (text: string, ...ids: readonly string[]): string =>
  ids.reduce((left, id) => left.replaceAll(id, 'ID'), text).replace(/"trace_id":"[^"]*"/, '')

const problemName = (text: string): string => (JSON.parse(text) as { type: string }).type.split('/problems/')[1] ?? ''

/** The rows of a list, or the successful results of a batch. */
function affectedRows(text: string): unknown[] {
  const { content, features, results } = JSON.parse(text) as {
    content?: unknown[]
    features?: unknown[]
    results?: { deleted: boolean }[]
  }
  return content ?? features ?? (results ?? []).filter(({ deleted }) => deleted)
}

test('every field that holds an id has a source', () => {
  for (const operation of memberOperations) {
    for (const { name } of findIdFields(operation)) assert.ok(sourceOf(operation, name), `${operation.id}: ${name}`)
  }
})

test("another organization's id gets the same response as an unknown id, in every field of every operation", async () => {
  let pairCount = 0
  await assertUnchanged(app, async () => {
    for (const operation of memberOperations) {
      for (const { name, many } of findIdFields(operation)) {
        const other_id = sourceOf(operation, name)!(theirs)
        const unknown_id = name.endsWith('url') ? other_id.replace(theirs.item, newId()) : newId()
        const example = exclusiveIdOperations.has(operation.id) ? {} : createExample(operation, mine)
        const sendWithId = (id: string) => send(mine, operation, { ...example, [name]: many ? [id] : id })
        const [otherResponse, unknownResponse] = [await sendWithId(other_id), await sendWithId(unknown_id)]
        const label = `${operation.id}, ${name}: ${otherResponse.text.slice(0, 300)}`
        if (many || idFilters[operation.id]?.[name]) assert.deepEqual(affectedRows(otherResponse.text), [], label)
        else {
          assert.equal(otherResponse.status, 404, label)
          assert.equal(problemName(otherResponse.text), 'not-found', label)
        }
        assert.equal(unknownResponse.status, otherResponse.status, label)
        assert.equal(
          stripIds(otherResponse.text, other_id, theirs.item),
          stripIds(unknownResponse.text, unknown_id, unknown_id.split('/')[6] ?? unknown_id),
          label,
        )
        pairCount++
      }
    }
  })
  assert.ok(pairCount > 35, String(pairCount))
})

test('an input whose ids are all of another organization returns 404', async () => {
  await assertUnchanged(app, async () => {
    for (const operation of memberOperations.filter((entry) => findRequiringIdFields(entry).length > 0)) {
      const names = new Set(findRequiringIdFields(operation).map(({ name }) => name))
      const input = Object.fromEntries(
        Object.entries(createExample(operation, mine)).map(([name, value]) => [
          name,
          names.has(name) ? sourceOf(operation, name)!(theirs) : value,
        ]),
      )
      const needed = Object.keys(input).some((name) => names.has(name))
      if (!needed) continue
      const { status, text } = await send(mine, operation, input)
      assert.equal(status, 404, `${operation.id}: ${text.slice(0, 300)}`)
    }
  })
})

/** The query of a route: required fields that neither the path nor the route provides. */
function missingQuery(
  { path, rename, fixed, operation }: ContractRoute,
  example: Readonly<Record<string, unknown>>,
): string {
  const { required = [] } = findOperation(operation)!.input as { required?: readonly string[] }
  const provided = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => rename?.[name!] ?? name!))
  const missing = required.filter((name) => !provided.has(name) && !Object.hasOwn(fixed ?? {}, name))
  const query = new URLSearchParams(missing.map((name): [string, string] => [name, String(example[name])]))
  return query.size > 0 ? `?${query}` : ''
}

test('contract routes respond to ids of another organization as to unknown ids', async () => {
  const byId = new Map(memberOperations.map((operation) => [operation.id, operation]))
  let pathCount = 0
  for (const route of contractRoutes.filter((row) => row.method === 'GET' && byId.has(row.operation))) {
    const fieldOf = (name: string): string => route.rename?.[name] ?? name
    const example = createExample(byId.get(route.operation)!, mine)
    for (const name of [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)) {
      const source = sourceOf(byId.get(route.operation)!, fieldOf(name))
      if (!source) continue
      const rest = missingQuery(route, example)
      const pathWithId = (id: string): string =>
        route.path.replaceAll(/\{(\w+)\}/g, (_, other: string) =>
          String(other === name ? id : example[fieldOf(other)]),
        ) + rest
      const [other_id, unknown_id] = [source(theirs), newId()]
      const [otherResponse, unknownResponse] = [
        await mine.client.fetch(pathWithId(other_id)),
        await mine.client.fetch(pathWithId(unknown_id)),
      ]
      assert.deepEqual([otherResponse.status, unknownResponse.status], [404, 404], pathWithId(other_id))
      assert.equal(
        stripIds(await otherResponse.text(), other_id),
        stripIds(await unknownResponse.text(), unknown_id),
        pathWithId(other_id),
      )
      pathCount++
    }
  }
  assert.ok(pathCount > 15, String(pathCount))
})

/** Operations authorized by the role in the organization or, for the outputs of a job, by its worker; not in a project. */
const organizationScoped =
  /^(api_keys|billing(?!\.budgets|\.charge)|eulas|oauth_clients|organizations|payment_methods|usage)\.|^processing\.job\.register$/

test('a member of the organization who is not in the project gets 403 and changes nothing', async () => {
  const outsider = await mine.addMember('member')
  const fixtures: TenantFixtures = { ...mine, client: outsider.client }
  await outsider.client.call('users.me', {})
  await assertUnchanged(app, async () => {
    for (const operation of memberOperations.filter(({ id }) => !memberReadable.has(id))) {
      const [first] = findRequiringIdFields(operation)
      if (!first) continue
      const id = sourceOf(operation, first.name)!(mine)
      const { status, text } = await send(fixtures, operation, { ...createExample(operation, mine), [first.name]: id })
      assert.equal(status, hiddenFromOutsiders.has(operation.id) ? 404 : 403, `${operation.id}: ${text.slice(0, 300)}`)
      if (hiddenFromOutsiders.has(operation.id)) continue
      assert.equal(
        problemName(text),
        organizationScoped.test(operation.id) ? 'forbidden' : 'not-a-member',
        operation.id,
      )
    }
  })
})

test('a new item names no origin of a project that its caller may not read', async () => {
  const outsider = await mine.addMember('member')
  const { id: project_id } = await mine.client.call<{ id: string }>('projects.create', { name: newId() })
  await mine.client.call('projects.add_member', { project_id, user_id: outsider.user, role: 'editor' })
  const item = { project_id, name: 'Field', type: 'user_raster', datetime: '2024-05-01T10:00:00Z' }
  await outsider.client.call('items.create', item)
  for (const origin of [{ order_id: mine.order }, { upload_id: mine.upload }, { job_id: mine.job }]) {
    const refusal = { status: 403, problem: 'not-a-member' }
    await assert.rejects(outsider.client.call('items.create', { ...item, ...origin }), refusal, Object.keys(origin)[0])
  }
})

/** Further inputs that reach entities of a project, beside the examples and the id fields. */
const additionalInputs: Readonly<Record<string, (fixtures: TenantFixtures) => readonly Record<string, unknown>[]>> = {
  'events.list': ({ item, order }) => [
    { limit: 500 },
    { entity_type: 'item', entity_id: item },
    { entity_type: 'order', entity_id: order },
  ],
  'provenance.get': (fixtures) => captureInputs(fixtures),
  'provenance.export': (fixtures) => captureInputs(fixtures),
  'billing.ledger.export': () => [{}, { format: 'csv' }],
  'billing.credits.transactions': () => [{ limit: 500 }],
}

const captureInputs = ({ captures }: TenantFixtures): Record<string, unknown>[] =>
  captures.map((capture) => ({
    entity_type: 'capture',
    entity_id: `open:${(capture as { id: string }).id}`,
    direction: 'both',
  }))

/** All inputs of an operation for the fixtures. */
function allInputs(operation: Operation, fixtures: TenantFixtures): Record<string, unknown>[] {
  const example = exclusiveIdOperations.has(operation.id) ? {} : createExample(operation, fixtures)
  const named = findIdFields(operation).map(({ name, many }) => {
    const id = sourceOf(operation, name)!(fixtures)
    return { ...example, [name]: many ? [id] : id }
  })
  return [createExample(operation, fixtures), ...named, ...(additionalInputs[operation.id]?.(fixtures) ?? [])]
}

/** Ids and names of the entities in the project of the fixtures. */
async function collectProjectContents({
  client,
  project,
  collection,
  item,
  ...fixtures
}: TenantFixtures): Promise<string[]> {
  const name = `Project ${newId()}`
  await client.call('projects.update', { project_id: project, name })
  // Delivered items have the names of their scenes, which are public in the catalogue.
  const itemName = `Item ${newId()}`
  await client.call('items.update', { item_id: item, name: itemName })
  const { asset, order, vector, profile, upload, shareLink } = fixtures
  const { hold, transaction } = mine.entities.purchases
  const ids = [project, collection, item, asset, order, vector, profile, upload, shareLink.id, hold, transaction]
  return [...ids, ...Object.values(mine.entities.decisions), name, itemName]
}

const findLeaks = (text: string, contents: readonly string[], input: object): string[] => {
  // Values that the caller has sent reveal nothing.
  const sentJson = JSON.stringify(input)
  return contents.filter((content) => text.includes(content) && !sentJson.includes(content))
}

test('no operation reveals entities of a project to a member of the organization who is not in it', async () => {
  const contents = await collectProjectContents(mine)
  assert.ok(contents.every((content) => content.length > 7))
  const outsider = await mine.addMember('member')
  const fixtures: TenantFixtures = { ...mine, client: outsider.client }
  let visibleCount = 0
  for (const operation of memberOperations) {
    for (const input of allInputs(operation, mine)) {
      const { status, text } = await send(fixtures, operation, input)
      const label = `${operation.id} ${JSON.stringify(input).slice(0, 200)}: ${status} ${text.slice(0, 300)}`
      assert.ok(status < 500, label)
      assert.deepEqual(findLeaks(text, contents, input), [], label)
      if (operation.effect !== 'read') continue
      const ownerResponse = await send(mine, operation, input)
      if (findLeaks(ownerResponse.text, contents, input).length > 0) visibleCount++
    }
  }
  // Members of the project do see them, so the check above is not vacuous.
  assert.ok(visibleCount > 25, String(visibleCount))
})

test('the billing role sees all billing data and no project data', async () => {
  const { client } = await mine.addMember('billing')
  const { order, item } = mine
  assert.equal((await client.call<ChargeExplanation>('billing.charge.explain', { order_id: order })).hold_id, null)
  const { transactions } = await client.call<{ transactions: object[] }>('billing.credits.transactions', {})
  assert.ok(transactions.length > 0)
  const { events } = await client.call<{ events: { entity_type: string }[] }>('events.list', { limit: 500 })
  assert.ok(events.some(({ entity_type }) => entity_type === 'topup'))
  assert.ok(events.every(({ entity_type }) => !['item', 'order', 'collection', 'project'].includes(entity_type)))
  assert.equal((await client.fetch('/v1/op/billing.ledger.export', { method: 'POST', body: '{}' })).status, 200)
  assert.ok(!JSON.stringify(events).includes(item))
})

test('a member of a project sees its events and lineage and those of no other project', async () => {
  const viewer = await mine.addMember('member')
  const memberInput = { project_id: mine.project, user_id: viewer.user, role: 'viewer' }
  await mine.client.call('projects.add_member', memberInput)
  const { id: other } = await mine.client.call<{ id: string }>('projects.create', { name: 'Another project' })
  const twin = await mine.client.call<{ id: string }>('items.duplicate', {
    item_id: mine.item,
    target_project_id: other,
  })
  const eventsResponse = await viewer.client.fetch('/v1/op/events.list', { method: 'POST', body: '{"limit":500}' })
  const text = await eventsResponse.text()
  assert.ok(text.includes(mine.item) && text.includes(mine.order))
  assert.ok(!text.includes(other) && !text.includes(twin.id) && !text.includes('topup'))
  const explained = await viewer.client.call<ChargeExplanation>('billing.charge.explain', { order_id: mine.order })
  assert.equal(explained.reference.id, mine.order)
  const outsider = (await mine.addMember('member')).client
  await assert.rejects(outsider.call('billing.charge.explain', { order_id: mine.order }), { status: 403 })
  const capture = captureInputs(mine)[0] as { entity_type: 'capture'; entity_id: string; direction: 'both' }
  const { nodes } = await viewer.client.call<{ nodes: { entity_id: string }[] }>('provenance.get', capture)
  assert.ok(nodes.some(({ entity_id }) => entity_id === mine.item))
  const down = { entity_type: 'item', entity_id: mine.item, direction: 'down' } as const
  const lineageOf = async (client: TenantFixtures['client']): Promise<string> =>
    JSON.stringify([
      await client.call('provenance.get', down),
      await client.call('items.lineage', { item_id: mine.item }),
    ])
  assert.ok((await lineageOf(mine.client)).includes(twin.id))
  assert.ok(!(await lineageOf(viewer.client)).includes(twin.id))
})

test('every event has the project of its entity', async () => {
  const db = app.database.forOrganization(mine.organization)
  const events = await db.query<{ type: string; id: string; project_id: string | null }>(sql`
    select entity_type as type, entity_id as id, project_id from events where organization_id = ${mine.organization}`)
  for (const { project_id, ...entity } of events)
    assert.equal(project_id, await findProjectOfEntity(db, mine.organization, entity), JSON.stringify(entity))
  const types = new Set(events.filter(({ project_id }) => project_id !== null).map(({ type }) => type))
  for (const type of ['item', 'order', 'collection', 'project']) assert.ok(types.has(type), type)
})
