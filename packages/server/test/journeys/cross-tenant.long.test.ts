import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Operation } from '@swath/contract/operation.ts'
import { findOperation, operationRegistry } from '@swath/contract/registry.ts'
import { contractRoutes, type ContractRoute } from '@swath/contract/routes.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import type { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import { findProjectOfEntity } from '../../src/domains/events/store.projects.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createScimToken, inviteSomebody } from '../test-organizations.ts'
import { findCurrentSession, storePasskey } from '../accounts/personal-ids.ts'
import { hiddenFromOutsiders, memberReadable } from '../accounts/access-exceptions.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertUnchanged } from '../ledger-assertions.ts'
import { readExamples } from '../contract/examples/reads.ts'
import { writeExamples } from '../contract/examples/writes.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { createContractFixtures, type ContractFixtures } from '../contract/fixtures.ts'
import { saveCard, updateBillingPlan, waitForProcessorEvents } from '../billing-helpers.ts'
import { square } from '../geometries.ts'
import { placeSceneOrder, waitForOrderTasks, waitForOrder } from '../orders.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
/** Two organizations with an entity of every kind. */
let mine: ContractFixtures
let theirs: ContractFixtures
/** What each of them has besides. */
let entities: Map<ContractFixtures, Entities>
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  mine = await createContractFixtures(app)
  theirs = await createContractFixtures(app)
  entities = new Map()
  for (const fixtures of [mine, theirs]) entities.set(fixtures, await createEntities(fixtures))
  await waitForOrderTasks(app)
  await waitForProcessorEvents(app)
})
after(() => app?.close())

type Entities = Awaited<ReturnType<typeof createEntities>>

async function createEntities(fixtures: ContractFixtures) {
  const { client, organization: organization_id, captures, item: item_id } = fixtures
  const purchases = await makePurchases(fixtures)
  const decisions = await requestDecisions(fixtures)
  const { id: key } = await client.call('api_keys.create', { name: 'Some key' })
  const invitation = await inviteSomebody(fixtures)
  const support = { organization_id, reason: 'a question' }
  const { id: supportAccess } = await app.admin.call<{ id: string }>('admin.support_access.request', support)
  const scimToken = await createScimToken(fixtures)
  const session = await findCurrentSession(fixtures)
  const passkey = await storePasskey(app, fixtures)
  const { quote_id: quote } = await client.call<{ quote_id: string }>('orders.quote', { captures })
  const { id: token } = await client.call<{ id: string }>('items.tile.token.create', { item_id })
  return { purchases, decisions, key, invitation, supportAccess, scimToken, session, passkey, quote, token }
}

interface Purchases {
  readonly hold: string
  readonly transaction: string
  readonly card: string
  readonly topup: string
  readonly commitment: string
}

async function makePurchases({ client, organization, admin }: ContractFixtures): Promise<Purchases> {
  const order_id = await placeSceneOrder(client, 'commercial', ['naip-va-17n'])
  await waitForOrder(client, order_id, 'FULFILLED')
  const visibleCount = await client.call<ChargeExplanation>('billing.charge.explain', { order_id })
  const card = await saveCard(client)
  const { id: topup } = await client.call('billing.topup', { credits: 500 })
  await updateBillingPlan(app, organization, 'enterprise')
  const commitmentInput = writeExamples['admin.commitments.create']!({ organization } as ContractFixtures)
  const { commitment } = await admin.call<{ commitment: { id: string } }>('admin.commitments.create', commitmentInput)
  await updateBillingPlan(app, organization, 'prepaid')
  return {
    hold: visibleCount.hold_id!,
    transaction: visibleCount.entries[0]!.id,
    card,
    topup,
    commitment: commitment.id,
  }
}

interface TaskingDecisions {
  readonly order: string
  readonly study: string
  readonly quotation: string
}

/** Places a tasking order with a study and one with a quotation, and answers both. */
async function requestDecisions({ client, organization, admin, project }: ContractFixtures): Promise<TaskingDecisions> {
  const place = async (product: string): Promise<string> => {
    const groups = [{ geometry: square(10, 50, 0.1), dataProduct: `constellation:${product}` }]
    return (await client.call<{ id: string }>('orders.tasking.place', { workspaceId: project, groups })).id
  }
  const target = { organization_id: organization, reason: 'by telephone' }
  const { study } = await admin.call('admin.tasking.study_upload', {
    ...target,
    order_id: await place('tasking-50cm'),
    options: [{ description: 'In spring' }],
  })
  const order = await place('tasking-1m5')
  const { quotation } = await admin.call('admin.tasking.quotation_upload', {
    ...target,
    order_id: order,
    creditsPrice: 700,
  })
  return { order, study: study!.id, quotation: quotation.id }
}

/** The entity id for each field name. A new operation with another id field adds a row. */
const idSources: Readonly<Record<string, (fixtures: ContractFixtures) => string>> = {
  organization_id: (fixtures) => fixtures.organization,
  project_id: (fixtures) => fixtures.project,
  projectId: (fixtures) => fixtures.project,
  workspaceId: (fixtures) => fixtures.project,
  workspace_id: (fixtures) => fixtures.project,
  webhook_id: (fixtures) => fixtures.webhook,
  // The example is one of a webhook.
  delegation_id: (fixtures) => fixtures.webhook,
  collection_id: (fixtures) => fixtures.collection,
  collections: (fixtures) => fixtures.collection,
  target_project_id: (fixtures) => fixtures.project,
  target_collection_id: (fixtures) => fixtures.collection,
  target_item_id: (fixtures) => fixtures.item,
  target_id: (fixtures) => fixtures.item,
  item_id: (fixtures) => fixtures.item,
  item_ids: (fixtures) => fixtures.item,
  asset_id: (fixtures) => fixtures.asset,
  order_id: (fixtures) => fixtures.order,
  orderId: (fixtures) => entities.get(fixtures)!.decisions.order,
  study_id: (fixtures) => entities.get(fixtures)!.decisions.study,
  quotation_id: (fixtures) => entities.get(fixtures)!.decisions.quotation,
  template_id: ({ taskingTemplate }) => taskingTemplate,
  subscription_id: ({ subscription }) => subscription,
  delivery_id: ({ delivery }) => delivery,
  quote_id: (fixtures) => entities.get(fixtures)!.quote,
  rule_id: ({ alertRule }) => alertRule,
  notification_id: ({ notification }) => notification,
  event_id: ({ alertEvent }) => alertEvent,
  search_id: (fixtures) => fixtures.savedSearch,
  report_id: ({ report }) => report,
  schedule_id: ({ reportSchedule }) => reportSchedule,
  saved_search_id: (fixtures) => fixtures.savedSearch,
  standing_order_id: ({ proposal }) => proposal.standing_order_id,
  user_id: (fixtures) => fixtures.otherUser,
  organizationId: (fixtures) => fixtures.organization,
  userId: (fixtures) => fixtures.otherUser,
  hold_id: (fixtures) => entities.get(fixtures)!.purchases.hold,
  transaction_id: (fixtures) => entities.get(fixtures)!.purchases.transaction,
  payment_method_row_id: (fixtures) => entities.get(fixtures)!.purchases.card,
  topup_id: (fixtures) => entities.get(fixtures)!.purchases.topup,
  commitment_id: (fixtures) => entities.get(fixtures)!.purchases.commitment,
  approval_id: ({ approval }) => approval,
  invoice_id: ({ invoice }) => invoice,
  job_id: (fixtures) => fixtures.job,
  job_type_id: () => newId(),
  source_item_id: (fixtures) => fixtures.item,
  key_id: (fixtures) => entities.get(fixtures)!.key,
  client_id: ({ oauthClient }) => oauthClient,
  invitation_id: (fixtures) => entities.get(fixtures)!.invitation,
  access_id: (fixtures) => entities.get(fixtures)!.supportAccess,
  scim_token_id: (fixtures) => entities.get(fixtures)!.scimToken,
  emergency_access: (fixtures) => fixtures.otherUser,
  // Changes of roles belong to the operators.
  role_change_id: () => newId(),
  token_id: (fixtures) => entities.get(fixtures)!.token,
  session_id: (fixtures) => entities.get(fixtures)!.session,
  passkey_id: (fixtures) => entities.get(fixtures)!.passkey,
  upload_id: ({ upload }) => upload,
  link_id: ({ shareLink }) => shareLink.id,
  profile_id: ({ profile }) => profile,
  formula_id: ({ formula }) => formula,
  entity_id: (fixtures) => fixtures.item,
  eula_id: () => newId(),
  document_id: () => newId(),
  url: (fixtures) => `${app.url}/api/v1/items/${fixtures.item}/assets/${fixtures.asset}`,
  cog_url: (fixtures) => `${app.url}/api/v1/items/${fixtures.item}/assets/${fixtures.asset}`,
}

/** Filters by an id: lists have nothing for an unknown one. */
const idFilters: Readonly<Record<string, Readonly<Record<string, (fixtures: ContractFixtures) => string>>>> = {
  'orders.tasking.feasibility_studies.list': {
    id: (fixtures) => entities.get(fixtures)!.decisions.study,
    orderId: (fixtures) => entities.get(fixtures)!.decisions.order,
  },
  'orders.tasking.quotations.list': {
    id: (fixtures) => entities.get(fixtures)!.decisions.quotation,
    orderId: (fixtures) => entities.get(fixtures)!.decisions.order,
  },
}

/** Returns the entity id for a field of an operation. */
const sourceOf = (operation: Operation, name: string): ((fixtures: ContractFixtures) => string) | undefined =>
  idFilters[operation.id]?.[name] ?? idSources[name]

/** Fields that hold an id although their schema does not say so. */
const hiddenIdFields: Readonly<Record<string, readonly string[]>> = {
  'provenance.get': ['entity_id'],
  'cog.thumbnail': ['url'],
  'cog.tile.render': ['url'],
  'cog.tile.terrain': ['url'],
  'cog.statistics': ['url'],
  'analytics.band_math': ['cog_url'],
  'analytics.calculate_index': ['cog_url'],
}

/** Operations that accept exactly one of their ids. */
const exclusiveIdOperations = new Set(['billing.charge.explain', 'items.tile.token.create', 'items.tile.token.list'])

interface Schema {
  readonly format?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

function idKind(schema: Schema): 'one' | 'many' | null {
  if (schema.format === 'uuid') return 'one'
  if (schema.items) return idKind(schema.items as Schema) ? 'many' : null
  return (schema.anyOf ?? []).map((inner) => idKind(inner as Schema)).find((candidates) => candidates !== null) ?? null
}

/** Operations that a member may call: not public, and not for platform operators only. */
const memberOperations = operationRegistry.filter(
  ({ id, scope, public: open }) =>
    !open && !(scope !== null && isPrivilegedScope(scope)) && id !== 'organizations.create',
)

const createExample = (operation: Operation, fixtures: ContractFixtures): Record<string, unknown> => ({
  ...(readExamples[operation.id] ?? writeExamples[operation.id]!)(fixtures),
})

/** The fields of an operation that hold an id. */
function findIdFields(operation: Operation): { name: string; many: boolean }[] {
  const { properties } = operation.input as unknown as { properties: Record<string, Schema> }
  const candidates = Object.entries(properties).map(([name, schema]) => ({ name, holds: idKind(schema) }))
  const named = candidates
    .filter(({ holds }) => holds !== null)
    .map(({ name, holds }) => ({ name, many: holds === 'many' }))
  return [...named, ...(hiddenIdFields[operation.id] ?? []).map((name) => ({ name, many: false }))]
}

/** The fields whose entity must exist: neither filters nor lists of ids. */
const findRequiringIdFields = (operation: Operation): { name: string }[] =>
  findIdFields(operation).filter(({ name, many }) => !many && !idFilters[operation.id]?.[name])

async function send(
  fixtures: ContractFixtures,
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
      const source = idSources[fieldOf(name)]
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
  /^(api_keys|billing|eulas|oauth_clients|organizations|payment_methods|usage)\.|^processing\.job\.register$/

test('a member of the organization who is not in the project gets 403 and changes nothing', async () => {
  const outsider = await mine.addMember('member')
  const fixtures: ContractFixtures = { ...mine, client: outsider.client }
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

/** Further inputs that reach entities of a project, beside the examples and the id fields. */
const additionalInputs: Readonly<Record<string, (fixtures: ContractFixtures) => readonly Record<string, unknown>[]>> = {
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

const captureInputs = ({ captures }: ContractFixtures): Record<string, unknown>[] =>
  captures.map((capture) => ({
    entity_type: 'capture',
    entity_id: `open:${(capture as { id: string }).id}`,
    direction: 'both',
  }))

/** All inputs of an operation for the fixtures. */
function allInputs(operation: Operation, fixtures: ContractFixtures): Record<string, unknown>[] {
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
}: ContractFixtures): Promise<string[]> {
  const name = `Project ${newId()}`
  await client.call('projects.update', { project_id: project, name })
  // Delivered items have the names of their scenes, which are public in the catalogue.
  const itemName = `Item ${newId()}`
  await client.call('items.update', { item_id: item, name: itemName })
  const { asset, order, vector, profile, upload, shareLink } = fixtures
  const { hold, transaction } = entities.get(mine)!.purchases
  const ids = [project, collection, item, asset, order, vector, profile, upload, shareLink.id, hold, transaction]
  return [...ids, ...Object.values(entities.get(mine)!.decisions), name, itemName]
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
  const fixtures: ContractFixtures = { ...mine, client: outsider.client }
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
  const capture = captureInputs(mine)[0] as { entity_type: 'capture'; entity_id: string; direction: 'both' }
  const { nodes } = await viewer.client.call<{ nodes: { entity_id: string }[] }>('provenance.get', capture)
  assert.ok(nodes.some(({ entity_id }) => entity_id === mine.item))
  const down = { entity_type: 'item', entity_id: mine.item, direction: 'down' } as const
  const lineageOf = async (client: ContractFixtures['client']): Promise<string> =>
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
