import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Operation } from '@swath/contract/operation.ts'
import { findOperation, registry } from '@swath/contract/registry.ts'
import { routes, type Route } from '@swath/contract/routes.ts'
import { isPrivileged } from '@swath/contract/scopes.ts'
import type { ChargeExplanation } from '@swath/contract/shapes/ledger.ts'
import { findProjectOf } from '../../src/domains/events/store.projects.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { unchanged } from '../books.ts'
import { reads } from '../contract/examples/reads.ts'
import { writes } from '../contract/examples/writes.ts'
import { makeWorld, type World } from '../contract/world.ts'
import { giveCard, putOnPlan } from '../house-money.ts'
import { placeScenes, quiet, waitForOrder } from '../orders.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
/** Two organizations with an entity of every kind. */
let mine: World
let theirs: World
let keys: Map<World, string>
let tokens: Map<World, string>
/** The purchases of each organization. */
let money: Map<World, Money>
before(async () => {
  house = await bootHouse()
  mine = await makeWorld(house)
  theirs = await makeWorld(house)
  keys = new Map()
  tokens = new Map()
  money = new Map()
  for (const world of [mine, theirs]) {
    money.set(world, await buy(world))
    keys.set(world, (await world.client.call('api_keys.create', { name: 'Some key' })).id)
    const made = await world.client.call<{ id: string }>('items.tile.token.create', { item_id: world.item })
    tokens.set(world, made.id)
  }
  await quiet(house)
})
after(() => house?.close())

interface Money {
  readonly hold: string
  readonly transaction: string
  readonly card: string
  readonly topup: string
  readonly commitment: string
}

async function buy({ client, organization, admin }: World): Promise<Money> {
  const order_id = await placeScenes(client, 'commercial', ['naip-va-17n'])
  await waitForOrder(client, order_id, 'FULFILLED')
  const told = await client.call<ChargeExplanation>('billing.charge.explain', { order_id })
  const card = await giveCard(client)
  const { id: topup } = await client.call('billing.topup', { credits: 500 })
  await putOnPlan(house, organization, 'enterprise')
  const terms = writes['admin.commitments.create']!({ organization } as World)
  const { commitment } = await admin.call<{ commitment: { id: string } }>('admin.commitments.create', terms)
  await putOnPlan(house, organization, 'prepaid')
  return { hold: told.hold_id!, transaction: told.entries[0]!.id, card, topup, commitment: commitment.id }
}

/** The entity id for each field name. A new operation with another id field adds a row. */
const sources: Readonly<Record<string, (world: World) => string>> = {
  organization_id: (world) => world.organization,
  project_id: (world) => world.project,
  projectId: (world) => world.project,
  workspaceId: (world) => world.project,
  collection_id: (world) => world.collection,
  collections: (world) => world.collection,
  target_project_id: (world) => world.project,
  target_collection_id: (world) => world.collection,
  target_item_id: (world) => world.item,
  target_id: (world) => world.item,
  item_id: (world) => world.item,
  item_ids: (world) => world.item,
  asset_id: (world) => world.asset,
  order_id: (world) => world.order,
  user_id: (world) => world.other,
  organizationId: (world) => world.organization,
  userId: (world) => world.other,
  hold_id: (world) => money.get(world)!.hold,
  transaction_id: (world) => money.get(world)!.transaction,
  payment_method_row_id: (world) => money.get(world)!.card,
  topup_id: (world) => money.get(world)!.topup,
  commitment_id: (world) => money.get(world)!.commitment,
  approval_id: ({ approval }) => approval,
  invoice_id: ({ invoice }) => invoice,
  // No operation creates jobs yet.
  job_id: () => newId(),
  key_id: (world) => keys.get(world)!,
  token_id: (world) => tokens.get(world)!,
  upload_id: ({ upload }) => upload,
  link_id: ({ link }) => link.id,
  profile_id: ({ profile }) => profile,
  formula_id: ({ formula }) => formula,
  entity_id: (world) => world.item,
  url: (world) => `${house.url}/api/v1/items/${world.item}/assets/${world.asset}`,
}

/** Fields that hold an id although their schema does not say so. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  'provenance.get': ['entity_id'],
  'cog.thumbnail': ['url'],
  'cog.tile.render': ['url'],
  'cog.tile.terrain': ['url'],
  'cog.statistics': ['url'],
}

/** Operations that accept exactly one of their ids. */
const oneAtATime = new Set(['billing.charge.explain', 'items.tile.token.create', 'items.tile.token.list'])

interface Schema {
  readonly format?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

function holdsId(schema: Schema): 'one' | 'many' | null {
  if (schema.format === 'uuid') return 'one'
  if (schema.items) return holdsId(schema.items as Schema) ? 'many' : null
  return (schema.anyOf ?? []).map((inner) => holdsId(inner as Schema)).find((found) => found !== null) ?? null
}

/** Operations that a member may call: implemented, not public, and not for platform operators only. */
const asked = registry.filter(
  ({ id, answered, scope, public: open }) =>
    answered && !open && !(scope !== null && isPrivileged(scope)) && id !== 'organizations.create',
)

const exampleOf = (operation: Operation, world: World): Record<string, unknown> => ({
  ...(reads[operation.id] ?? writes[operation.id]!)(world),
})

/** The fields of an operation that hold an id. */
function idFields(operation: Operation): { name: string; many: boolean }[] {
  const { properties } = operation.input as unknown as { properties: Record<string, Schema> }
  const found = Object.entries(properties).map(([name, schema]) => ({ name, holds: holdsId(schema) }))
  const named = found.filter(({ holds }) => holds !== null).map(({ name, holds }) => ({ name, many: holds === 'many' }))
  return [...named, ...(hidden[operation.id] ?? []).map((name) => ({ name, many: false }))]
}

async function send(world: World, operation: Operation, input: object): Promise<{ status: number; text: string }> {
  const response = await world.client.fetch(`/v1/op/${operation.id}`, { method: 'POST', body: JSON.stringify(input) })
  return { status: response.status, text: await response.text() }
}

/** Replaces ids and removes the trace id, so that responses can be compared. */
const settled = (text: string, ...ids: readonly string[]): string =>
  ids.reduce((left, id) => left.replaceAll(id, 'ID'), text).replace(/"trace_id":"[^"]*"/, '')

const problemIn = (text: string): string => (JSON.parse(text) as { type: string }).type.split('/problems/')[1] ?? ''

/** The features of a list, or the successful results of a batch. */
function rowsIn(text: string): unknown[] {
  const { features, results } = JSON.parse(text) as { features?: unknown[]; results?: { deleted: boolean }[] }
  return features ?? results!.filter(({ deleted }) => deleted)
}

test('every field that holds an id has a source', () => {
  for (const operation of asked) {
    for (const { name } of idFields(operation)) assert.ok(sources[name], `${operation.id}: ${name}`)
  }
})

test("another organization's id gets the same response as an unknown id, in every field of every operation", async () => {
  let pairs = 0
  await unchanged(house, async () => {
    for (const operation of asked) {
      for (const { name, many } of idFields(operation)) {
        const foreign = sources[name]!(theirs)
        const random = name === 'url' ? foreign.replace(theirs.item, newId()) : newId()
        const usual = oneAtATime.has(operation.id) ? {} : exampleOf(operation, mine)
        const ask = (id: string) => send(mine, operation, { ...usual, [name]: many ? [id] : id })
        const [there, nowhere] = [await ask(foreign), await ask(random)]
        const where = `${operation.id}, ${name}: ${there.text.slice(0, 300)}`
        if (many) assert.deepEqual(rowsIn(there.text), [], where)
        else {
          assert.equal(there.status, 404, where)
          assert.equal(problemIn(there.text), 'not-found', where)
        }
        assert.equal(nowhere.status, there.status, where)
        assert.equal(
          settled(there.text, foreign, theirs.item),
          settled(nowhere.text, random, random.split('/')[6] ?? random),
          where,
        )
        pairs++
      }
    }
  })
  assert.ok(pairs > 35, String(pairs))
})

test('an input whose ids are all of another organization returns 404', async () => {
  await unchanged(house, async () => {
    for (const operation of asked.filter((entry) => idFields(entry).some(({ many }) => !many))) {
      const names = new Set(idFields(operation).map(({ name }) => name))
      const input = Object.fromEntries(
        Object.entries(exampleOf(operation, mine)).map(([name, value]) => [
          name,
          names.has(name) ? sources[name]!(theirs) : value,
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
function restOf({ path, rename, fixed, operation }: Route, usual: Readonly<Record<string, unknown>>): string {
  const { required = [] } = findOperation(operation)!.input as { required?: readonly string[] }
  const given = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => rename?.[name!] ?? name!))
  const missing = required.filter((name) => !given.has(name) && !Object.hasOwn(fixed ?? {}, name))
  const query = new URLSearchParams(missing.map((name): [string, string] => [name, String(usual[name])]))
  return query.size > 0 ? `?${query}` : ''
}

test('contract routes respond to ids of another organization as to unknown ids', async () => {
  const byId = new Map(asked.map((operation) => [operation.id, operation]))
  let asking = 0
  for (const route of routes.filter((row) => row.method === 'GET' && byId.has(row.operation))) {
    const fieldOf = (name: string): string => route.rename?.[name] ?? name
    const usual = exampleOf(byId.get(route.operation)!, mine)
    for (const name of [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)) {
      const source = sources[fieldOf(name)]
      if (!source) continue
      const rest = restOf(route, usual)
      const at = (id: string): string =>
        route.path.replaceAll(/\{(\w+)\}/g, (_, other: string) => String(other === name ? id : usual[fieldOf(other)])) +
        rest
      const [foreign, random] = [source(theirs), newId()]
      const [there, nowhere] = [await mine.client.fetch(at(foreign)), await mine.client.fetch(at(random))]
      assert.deepEqual([there.status, nowhere.status], [404, 404], at(foreign))
      assert.equal(settled(await there.text(), foreign), settled(await nowhere.text(), random), at(foreign))
      asking++
    }
  }
  assert.ok(asking > 15, String(asking))
})

/** Operations authorized by the role in the organization, not in a project. */
const ofTheWhole = /^(api_keys|billing|organizations|payment_methods)\./

/** Operations that every member of the organization may call for all its entities. */
const forEveryMember = new Set([
  'band_formulas.delete',
  'band_formulas.get',
  'band_formulas.update',
  'billing.approvals.get',
  'billing.invoices.download',
  'billing.invoices.get',
  'billing.status.get',
  'organizations.commitments.list',
  'organizations.members.spend.get',
  'users.me',
])

/** Operations that return 404 to members who are not in the project. */
const silent = new Set(['billing.charge.explain'])

test('a member of the organization who is not in the project gets 403 and changes nothing', async () => {
  const outsider = await mine.join('member')
  const world: World = { ...mine, client: outsider.client }
  await outsider.client.call('users.me', {})
  await unchanged(house, async () => {
    for (const operation of asked.filter(({ id }) => !forEveryMember.has(id))) {
      const [first] = idFields(operation).filter(({ many }) => !many)
      if (!first) continue
      const id = sources[first.name]!(mine)
      const { status, text } = await send(world, operation, { ...exampleOf(operation, mine), [first.name]: id })
      assert.equal(status, silent.has(operation.id) ? 404 : 403, `${operation.id}: ${text.slice(0, 300)}`)
      if (silent.has(operation.id)) continue
      assert.equal(problemIn(text), ofTheWhole.test(operation.id) ? 'forbidden' : 'not-a-member', operation.id)
    }
  })
})

/** Further inputs that reach entities of a project, beside the examples and the id fields. */
const furtherWays: Readonly<Record<string, (world: World) => readonly Record<string, unknown>[]>> = {
  'events.list': ({ item, order }) => [
    { limit: 500 },
    { entity_type: 'item', entity_id: item },
    { entity_type: 'order', entity_id: order },
  ],
  'provenance.get': (world) => capturesWays(world),
  'provenance.export': (world) => capturesWays(world),
  'billing.ledger.export': () => [{}, { format: 'csv' }],
  'billing.credits.transactions': () => [{ limit: 500 }],
}

const capturesWays = ({ captures }: World): Record<string, unknown>[] =>
  captures.map((capture) => ({
    entity_type: 'capture',
    entity_id: `open:${(capture as { id: string }).id}`,
    direction: 'both',
  }))

/** All inputs of an operation for the fixtures. */
function waysOf(operation: Operation, world: World): Record<string, unknown>[] {
  const usual = oneAtATime.has(operation.id) ? {} : exampleOf(operation, world)
  const named = idFields(operation).map(({ name, many }) => {
    const id = sources[name]!(world)
    return { ...usual, [name]: many ? [id] : id }
  })
  return [exampleOf(operation, world), ...named, ...(furtherWays[operation.id]?.(world) ?? [])]
}

/** Ids and names of the entities in the project of the fixtures. */
async function contentsOf({ client, project, collection, item, ...world }: World): Promise<string[]> {
  const name = `Project ${newId()}`
  await client.call('projects.update', { project_id: project, name })
  // Delivered items have the names of their scenes, which are public in the catalogue.
  const itemName = `Item ${newId()}`
  await client.call('items.update', { item_id: item, name: itemName })
  const { asset, order, vector, profile, upload, link } = world
  const { hold, transaction } = money.get(mine)!
  const ids = [project, collection, item, asset, order, vector, profile, upload, link.id, hold, transaction]
  return [...ids, name, itemName]
}

const contains = (text: string, contents: readonly string[], input: object): string[] => {
  // Values that the caller has sent reveal nothing.
  const sent = JSON.stringify(input)
  return contents.filter((content) => text.includes(content) && !sent.includes(content))
}

test('no operation reveals entities of a project to a member of the organization who is not in it', async () => {
  const contents = await contentsOf(mine)
  assert.ok(contents.every((content) => content.length > 7))
  const outsider = await mine.join('member')
  const world: World = { ...mine, client: outsider.client }
  let told = 0
  for (const operation of asked) {
    for (const input of waysOf(operation, mine)) {
      const { status, text } = await send(world, operation, input)
      const where = `${operation.id} ${JSON.stringify(input).slice(0, 200)}: ${status} ${text.slice(0, 300)}`
      assert.ok(status < 500, where)
      assert.deepEqual(contains(text, contents, input), [], where)
      if (operation.effect !== 'read') continue
      const owners = await send(mine, operation, input)
      if (contains(owners.text, contents, input).length > 0) told++
    }
  }
  // Members of the project do see them, so the check above is not vacuous.
  assert.ok(told > 25, String(told))
})

test('the billing role sees all billing data and no project data', async () => {
  const { client } = await mine.join('billing')
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
  const viewer = await mine.join('member')
  const add = { project_id: mine.project, user_id: viewer.user, role: 'viewer' }
  await mine.client.call('projects.add_member', add)
  const { id: other } = await mine.client.call<{ id: string }>('projects.create', { name: 'Another project' })
  const twin = await mine.client.call<{ id: string }>('items.duplicate', {
    item_id: mine.item,
    target_project_id: other,
  })
  const listed = await viewer.client.fetch('/v1/op/events.list', { method: 'POST', body: '{"limit":500}' })
  const text = await listed.text()
  assert.ok(text.includes(mine.item) && text.includes(mine.order))
  assert.ok(!text.includes(other) && !text.includes(twin.id) && !text.includes('topup'))
  const explained = await viewer.client.call<ChargeExplanation>('billing.charge.explain', { order_id: mine.order })
  assert.equal(explained.reference.id, mine.order)
  const capture = capturesWays(mine)[0] as { entity_type: 'capture'; entity_id: string; direction: 'both' }
  const { nodes } = await viewer.client.call<{ nodes: { entity_id: string }[] }>('provenance.get', capture)
  assert.ok(nodes.some(({ entity_id }) => entity_id === mine.item))
  const down = { entity_type: 'item', entity_id: mine.item, direction: 'down' } as const
  const lineageOf = async (client: World['client']): Promise<string> =>
    JSON.stringify([
      await client.call('provenance.get', down),
      await client.call('items.lineage', { item_id: mine.item }),
    ])
  assert.ok((await lineageOf(mine.client)).includes(twin.id))
  assert.ok(!(await lineageOf(viewer.client)).includes(twin.id))
})

test('every event has the project of its entity', async () => {
  const db = house.database.of(mine.organization)
  const events = await db.query<{ type: string; id: string; project_id: string | null }>(sql`
    select entity_type as type, entity_id as id, project_id from events where organization_id = ${mine.organization}`)
  for (const { project_id, ...entity } of events)
    assert.equal(project_id, await findProjectOf(db, mine.organization, entity), JSON.stringify(entity))
  const types = new Set(events.filter(({ project_id }) => project_id !== null).map(({ type }) => type))
  for (const type of ['item', 'order', 'collection', 'project']) assert.ok(types.has(type), type)
})
