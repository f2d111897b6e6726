import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { createClient, type Client } from '@swath/client/client.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { writeLicensedArchive } from '../../../test/hosts/licensed-hosts.ts'
import { assertUnchanged } from '../../../test/ledger-assertions.ts'
import { findCaptures, getEntityEvents, getWalletBalance, waitForOrder } from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'
import { createManualClock } from '../../platform/clock.ts'

const clock = createManualClock(new Date())
const dateAfter = (days: number): string => new Date(clock.now().getTime() + days * day_ms).toISOString().slice(0, 10)
const documents = [
  { version: '9', valid_from: dateAfter(-400), text: 'Internal use.' },
  { version: '10', valid_from: dateAfter(-30), text: 'Internal use, and by contractors.' },
  { version: '11', valid_from: dateAfter(30), language: 'en-AU', url: 'https://example.com/licences/11' },
]

let app: TestApp
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-licensed-'))
  const environment = { CATALOG_HOSTS_FILE: await writeLicensedArchive(folder, documents) }
  app = await startTestApp({ clock, environment })
})
after(async () => {
  await app?.close()
  await rm(folder, { recursive: true })
})

interface World extends TestOrganization {
  readonly client: Client
  readonly eula_id: string
  /** The documents by version. */
  readonly versions: Readonly<Record<string, string>>
}

/** A new organization, with the ids of the agreement. */
async function createWorld(): Promise<World> {
  const org = await createTestOrganization(app)
  const { client } = org.owner
  const { content } = await client.call('eulas.list', {})
  const [eula, ...others] = content
  assert.deepEqual(others, [])
  const page = await client.call('eulas.documents.list', { eula_id: eula!.id })
  const versions = Object.fromEntries(page.content.map(({ version, id }) => [version, id]))
  return { ...org, client, eula_id: eula!.id, versions }
}

const captures = async (client: Client, ids = ['survey']): Promise<never[]> =>
  (await findCaptures(client, 'licensed', ids)) as never[]
const place = async (client: Client) =>
  client.call<{ id: string }>('orders.archive.place', { captures: await captures(client) })
const decide = ({ client, eula_id, versions }: World, version: string, is_accepted = true) =>
  client.call('eulas.document.accept', { eula_id, document_id: versions[version]!, is_accepted })
const listAcceptances = async ({ client, eula_id }: World) =>
  (await client.call('eulas.acceptances.list', { eula_id })).acceptances
const isNotAccepted = { problem: 'eula-not-accepted', status: 409 }

test('an order without acceptance is refused by name, and leaves no order, hold or event', async () => {
  const { client, eula_id, versions } = await createWorld()
  const { quote_id, eulas } = await client.call('orders.quote', { captures: await captures(client) })
  const needed = {
    eulaId: eula_id,
    documentId: versions['10'],
    title: 'Standard licence of Example Survey',
    version: '10',
    isAccepted: false,
  }
  assert.deepEqual(eulas, [needed])
  const input = { captures: await captures(client) }
  await assertUnchanged(app, async () => {
    for (const request of [input, { ...input, dry_run: true }, { quote_id }]) {
      const response = await client.fetch('/v1/op/orders.archive.place', {
        method: 'POST',
        body: JSON.stringify(request),
      })
      const document = (await response.json()) as { type: string; detail: string; eulas: unknown }
      assert.equal(response.status, 409)
      assert.match(document.type, /\/problems\/eula-not-accepted$/)
      assert.match(document.detail, /"Standard licence of Example Survey", version 10/)
      assert.ok(document.detail.includes(versions['10']!))
      assert.deepEqual(document.eulas, [needed])
    }
  })
  assert.equal((await client.call('orders.list', {})).totalElements, 0)
  assert.equal((await getWalletBalance(client)).held, 0)
})

test('after the acceptance the order is placed and delivered, also with a quote from before', async () => {
  const world = await createWorld()
  const { client, eula_id, versions, owner } = world
  const { quote_id } = await client.call('orders.quote', { captures: await captures(client) })
  const { document } = await decide(world, '10')
  assert.deepEqual([document.isAccepted, document.acceptedBy], [true, owner.user])
  assert.equal(document.acceptedAt, clock.now().toISOString())
  const estimate = await client.call('orders.archive.estimate', { captures: await captures(client) })
  assert.deepEqual(
    estimate.eulas.map(({ documentId, isAccepted }) => [documentId, isAccepted]),
    [[versions['10'], true]],
  )
  const { id } = await client.call('orders.archive.place', { quote_id })
  await waitForOrder(client, id, 'FULFILLED')
  const [acceptance, ...others] = await listAcceptances(world)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [acceptance!.eulaId, acceptance!.documentId, acceptance!.version, acceptance!.actorKind, acceptance!.actorId],
    [eula_id, versions['10'], '10', 'human', owner.user],
  )
  // printf 'Internal use, and by contractors.' | sha256sum
  assert.equal(acceptance!.contentSha256, 'f1c03ea85ed6170ddee1c2e2a8e5f107371e1687591f0497d5700a7db84bb7fe')
  const events = await getEntityEvents(client, eula_id)
  assert.deepEqual(
    events.map(({ event_type, data }) => [event_type, data['version']]),
    [['eula.accepted', '10']],
  )
})

test('products without an agreement are ordered as before', async () => {
  const { client } = await createWorld()
  const samples = await captures(client, ['samples'])
  const demo = (await findCaptures(client, 'commercial', ['naip-va-17n'])) as never[]
  for (const ordered of [samples, demo]) {
    const { eulas } = await client.call('orders.archive.estimate', { captures: ordered })
    assert.deepEqual(eulas, [])
    await client.call('orders.archive.place', { captures: ordered })
  }
})

test('the acceptance of another organization does not count', async () => {
  const [ours, theirs] = [await createWorld(), await createWorld()]
  await decide(theirs, '10')
  await place(theirs.client)
  await assert.rejects(place(ours.client), isNotAccepted)
  assert.deepEqual(await listAcceptances(ours), [])
  assert.deepEqual(await getEntityEvents(ours.client, ours.eula_id), [])
})

test('after a withdrawal orders are refused until it is accepted again, and each decision is recorded', async () => {
  const world = await createWorld()
  await decide(world, '10', false)
  assert.deepEqual(await listAcceptances(world), [])
  await decide(world, '10')
  const { document } = await decide(world, '10', false)
  assert.deepEqual([document.isAccepted, document.acceptedAt, document.acceptedBy], [false, null, null])
  await assert.rejects(place(world.client), isNotAccepted)
  await decide(world, '10')
  await place(world.client)
  assert.deepEqual(
    (await listAcceptances(world)).map(({ isAccepted }) => isAccepted),
    [true, false, true],
  )
  const events = await getEntityEvents(world.client, world.eula_id)
  assert.deepEqual(
    events.map(({ event_type }) => event_type),
    ['eula.accepted', 'eula.withdrawn', 'eula.accepted'],
  )
})

test('acceptances at the same moment are recorded once', async () => {
  const world = await createWorld()
  const decisions = await Promise.all([1, 2, 3, 4].map(() => decide(world, '10')))
  assert.ok(decisions.every(({ document }) => document.isAccepted))
  assert.equal((await listAcceptances(world)).length, 1)
  assert.equal((await getEntityEvents(world.client, world.eula_id)).length, 1)
})

test('a newer version needs a fresh acceptance from its date on, by the clock of the organization', async () => {
  const [ahead, early] = [await createWorld(), await createWorld()]
  await decide(ahead, '10')
  await decide(early, '10')
  // A version may be accepted before it is valid.
  await decide(early, '11')
  const read = async ({ client, eula_id }: World) => (await client.call('eulas.get', { eula_id })).eula
  assert.equal((await read(ahead)).currentDocumentId, ahead.versions['10'])
  clock.advance(31 * day_ms, ahead.organization)
  assert.deepEqual(await read(ahead).then(({ currentDocumentId, isAccepted }) => [currentDocumentId, isAccepted]), [
    ahead.versions['11'],
    false,
  ])
  await assert.rejects(place(ahead.client), isNotAccepted)
  // The other organization is not there yet.
  assert.equal((await read(early)).currentDocumentId, early.versions['10'])
  await assert.rejects(
    decide(ahead, '10', false).then(() => decide(ahead, '10')),
    { problem: 'invalid-state' },
  )
  await decide(ahead, '11')
  await place(ahead.client)
  clock.advance(31 * day_ms, early.organization)
  assert.equal((await read(early)).isAccepted, true)
  await place(early.client)
})

test('members who may order accept, members without a project and keys without the scope do not', async () => {
  const world = await createWorld()
  const member = await world.addMember('member')
  const asMember = { ...world, client: member.client }
  await assert.rejects(decide(asMember, '10'), { problem: 'forbidden' })
  const { projects } = await world.client.call('projects.list', {})
  const membership = { project_id: projects[0]!.id, user_id: member.user }
  await world.client.call('projects.add_member', { ...membership, role: 'viewer' })
  await assert.rejects(decide(asMember, '10'), { problem: 'forbidden' })
  await world.client.call('projects.update_member', { ...membership, role: 'editor' })
  assert.equal((await decide(asMember, '10')).document.acceptedBy, member.user)
  const createKeyClient = async (permissions: string[]): Promise<Client> => {
    const { key } = await world.client.call('api_keys.create', { name: 'Key', permissions })
    return createClient({ baseUrl: app.url, token: key })
  }
  const reader = await createKeyClient(['eulas:read'])
  await assert.rejects(decide({ ...world, client: reader }, '10', false), { problem: 'insufficient-scope' })
  const writer = await createKeyClient(['eulas:read', 'eulas:write'])
  await decide({ ...world, client: writer }, '10', false)
  assert.equal((await listAcceptances(world))[0]!.actorKind, 'api_key')
})

test('documents are listed with future ones in the requested order, and read with text or URL', async () => {
  const { client, eula_id, versions } = await createWorld()
  const list = async (sort: string | undefined) =>
    (await client.call('eulas.documents.list', { eula_id, ...(sort ? { sort } : {}) })).content.map(
      ({ version }) => version,
    )
  assert.deepEqual(await list(undefined), ['11', '10', '9'])
  assert.deepEqual(await list('version,asc'), ['9', '10', '11'])
  const second = await client.call('eulas.documents.list', { eula_id, size: 1, page: 1 })
  assert.deepEqual([second.content[0]!.version, second.totalPages], ['10', 3])
  const read = async (version: string): Promise<OutputOf<'eulas.document.get'>['document']> =>
    (await client.call('eulas.document.get', { eula_id, document_id: versions[version]! })).document
  const [text, url] = [await read('10'), await read('11')]
  assert.deepEqual([text.mediaType, text.content, text.language], ['text/plain', documents[1]!.text, 'en'])
  assert.deepEqual([url.mediaType, url.content, url.language], ['text/uri-list', documents[2]!.url, 'en-AU'])
  assert.equal(url.validFrom, `${documents[2]!.valid_from}T00:00:00.000Z`)
})

test('the glossary names the agreement of a product, and lists are filtered by a word of the title', async () => {
  const { client, eula_id } = await createWorld()
  const read = async (data_product_name: string) =>
    (await client.call('glossary.data_products.get', { data_product_name })).data_product.eulaId
  assert.equal(await read('licensed:survey'), eula_id)
  assert.equal(await read('licensed:samples'), null)
  const find = async (term: string) => (await client.call('eulas.list', { term })).content.map(({ id }) => id)
  assert.deepEqual(await find('STANDARD'), [eula_id])
  assert.deepEqual(await find('custom'), [])
})

test('GET /eulas/{id} has isAccepted at the top, and unknown ids are not found', async () => {
  const world = await createWorld()
  const { client, eula_id, versions } = world
  const read = async () => (await (await client.fetch(`/eulas/${eula_id}`)).json()) as { isAccepted: boolean }
  assert.equal((await read()).isAccepted, false)
  await decide(world, '10')
  assert.equal((await read()).isAccepted, true)
  const unknown_id = versions['10']!
  assert.equal((await client.fetch(`/eulas/${unknown_id}`)).status, 404)
  const alias = await client.fetch(`/v2/eulas/${eula_id}`)
  assert.equal(((await alias.json()) as { isAccepted: boolean }).isAccepted, true)
  assert.ok(alias.headers.has('deprecation') && !alias.headers.has('sunset'))
  const isNotFound = { problem: 'not-found' }
  await assert.rejects(client.call('eulas.document.get', { eula_id, document_id: eula_id }), isNotFound)
  await assert.rejects(client.call('eulas.document.accept', { eula_id, document_id: eula_id }), isNotFound)
  await assert.rejects(client.call('eulas.documents.list', { eula_id: unknown_id }), isNotFound)
})
