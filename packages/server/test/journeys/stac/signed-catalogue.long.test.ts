import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { StacCatalog, StacItem, StacSearchResult } from '@swath/contract/schemas/stac.ts'
import { createManualClock } from '../../../src/platform/clock.ts'
import { placeSceneOrder, waitForOrder } from '../../orders.ts'
import { validateStacItem } from '../../stac-schemas.ts'
import { startTestApp, type TestApp } from '../../test-app.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../../test-organizations.ts'

// The catalogue for readers that send headers to the catalogue and none to the files.

interface SignedAsset {
  readonly href: string
  readonly 'auth:refs'?: readonly string[]
  readonly alternate?: Readonly<Record<string, { href: string; 'auth:refs': string[] }>>
}

const ownExtensions = /\/(?:alternate-assets|authentication)\//
const clock = createManualClock(new Date('2026-03-01T00:00:00.000Z'))
let app: TestApp
let org: TestOrganization
let member: TestUser
let item_id: string
let plain: StacItem
before(async () => {
  app = await startTestApp({ clock })
  org = await createTestOrganization(app)
  const { client } = org.owner
  const order_id = await placeSceneOrder(client, 'open', ['hls-exe-20210613'])
  await waitForOrder(client, order_id, 'FULFILLED')
  item_id = (await client.call('orders.list_assets', { order_id })).features[0]!.item_id
  plain = (await client.call('items.get_stac', { item_id })) as StacItem
  member = await org.addMember('member')
  await client.call('projects.add_member', { project_id: org.project, user_id: member.user, role: 'viewer' })
})
after(() => app?.close())

const collectionPath = (): string => `/assets/stac/collections/${plain.collection}`

async function readSigned(client: Client): Promise<StacItem> {
  const { features } = (await (await client.fetch(`/signed${collectionPath()}/items`)).json()) as StacSearchResult
  return features[0] as StacItem
}

const dataAssetOf = (item: StacItem): SignedAsset =>
  Object.values(item.assets).find(({ roles }) => roles?.includes('data')) as SignedAsset

/** The status of a URL for a reader that sends no header, and the bytes behind its redirect. */
async function readWithoutHeader(url: string): Promise<{ status: number; bytes: Uint8Array }> {
  const response = await fetch(url)
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
}

test('the URL of a file in the signed catalogue needs no header, and its alternate is the plain URL', async () => {
  const signed = await readSigned(org.owner.client)
  const asset = dataAssetOf(signed)
  const before = dataAssetOf(plain)
  const { status, bytes } = await readWithoutHeader(asset.href)
  assert.equal(status, 200)
  const withToken = await org.owner.client.fetch(before.href)
  assert.deepEqual(bytes, new Uint8Array(await withToken.arrayBuffer()))
  assert.ok(bytes.length > 1000)
  assert.equal((await readWithoutHeader(before.href)).status, 401)
  assert.deepEqual(asset['auth:refs'], ['signed'])
  assert.equal(asset.alternate?.['token']?.href, before.href)
  const schemes = signed.properties['auth:schemes'] as Record<string, { type: string }>
  assert.deepEqual(
    Object.entries(schemes).map(([name, { type }]) => [name, type]),
    [
      ['token', 'openIdConnect'],
      ['signed', 'signedUrl'],
    ],
  )
})

test('items are valid, and the plain catalogue shows none of it', async () => {
  const { client } = org.owner
  const signed = await readSigned(client)
  assert.equal(signed.stac_extensions.filter((url) => ownExtensions.test(url)).length, 2)
  const others = signed.stac_extensions.filter((url) => !ownExtensions.test(url))
  assert.deepEqual(await validateStacItem({ ...signed, stac_extensions: others }), [])
  const response = await client.fetch(`${collectionPath()}/items/${plain.id}`)
  const text = await response.text()
  assert.doesNotMatch(text, /auth:|alternate|key=/)
  assert.deepEqual(JSON.parse(text), plain)
  const single = await client.fetch(`/signed${collectionPath()}/items/${plain.id}`)
  assert.equal(single.headers.get('cache-control'), 'no-store')
  assert.deepEqual(await single.json(), signed)
})

test('the signed catalogue claims no changes, on its landing page and in its conformance', async () => {
  const isOfChanges = (uri: string): boolean => /transaction|ogcapi-features-4/.test(uri)
  const read = async (path: string): Promise<string[]> =>
    ((await (await org.owner.client.fetch(path)).json()) as StacCatalog).conformsTo ?? []
  for (const path of ['/assets/stac', '/assets/stac/conformance']) {
    const plainClasses = await read(path)
    assert.equal(plainClasses.filter(isOfChanges).length, 4)
    assert.deepEqual(
      await read(`/signed${path}`),
      plainClasses.filter((uri) => !isOfChanges(uri)),
    )
  }
})

test('links of the signed catalogue stay in it, and those to other documents leave it', async () => {
  const { client } = org.owner
  const landing = (await (await client.fetch('/signed/assets/stac')).json()) as StacCatalog
  const root = `${client.baseUrl}/signed/assets/stac`
  for (const { rel, href } of landing.links)
    assert.equal(href.startsWith(root), !rel.startsWith('service-'), `${rel} ${href}`)
  const documents = landing.links.filter(({ rel }) => rel === 'service-desc')
  assert.equal((await fetch(documents[0]!.href)).status, 200)
  const page = (await (await client.fetch('/signed/assets/stac/search?limit=1')).json()) as StacSearchResult
  for (const { rel, href } of [...page.links, ...page.features[0]!.links])
    assert.equal(href.startsWith(root), !['license', 'via'].includes(rel), `${rel} ${href}`)
  const via = page.features[0]!.links.find(({ rel }) => rel === 'via')
  assert.equal((await client.fetch(via!.href)).status, 200)
  const written = await client.fetch(`/signed${collectionPath()}/items/${plain.id}`, { method: 'DELETE' })
  assert.ok([404, 405].includes(written.status), String(written.status))
})

test('a page with selected fields has the signed URLs, and a search by POST, too', async () => {
  const body = JSON.stringify({ collections: [plain.collection], fields: { include: ['id', 'assets'] } })
  const response = await org.owner.client.fetch('/signed/assets/stac/search', { method: 'POST', body })
  const { features } = (await response.json()) as StacSearchResult
  assert.match(dataAssetOf(features[0] as StacItem).href, /\?key=swathasset_/)
  assert.equal('auth:schemes' in features[0]!.properties, false)
})

test('a token ends with the permissions of the user, and with the API key that read the catalogue', async () => {
  const { client } = org.owner
  const ofMember = dataAssetOf(await readSigned(member.client)).href
  assert.equal((await readWithoutHeader(ofMember)).status, 200)
  await client.call('projects.remove_member', { project_id: org.project, user_id: member.user })
  assert.equal((await readWithoutHeader(ofMember)).status, 403)
  const { id, key } = await client.call<{ id: string; key: string }>('api_keys.create', {
    name: 'reader',
    permissions: ['can_read'],
  })
  const page = await fetch(`${client.baseUrl}/signed${collectionPath()}/items`, { headers: { 'x-api-key': key } })
  const ofKey = dataAssetOf(((await page.json()) as StacSearchResult).features[0] as StacItem).href
  assert.equal((await readWithoutHeader(ofKey)).status, 200)
  await client.call('api_keys.revoke', { key_id: id })
  assert.equal((await readWithoutHeader(ofKey)).status, 401)
})

test('tokens of one hour are equal, end within half a day, and open the files of their item alone', async () => {
  const { client } = org.owner
  const { href } = dataAssetOf(await readSigned(client))
  const key = new URL(href).searchParams.get('key')!
  assert.equal(dataAssetOf(await readSigned(client)).href, href)
  const unknown = `/api/v1/items/${org.project}/assets/${org.project}?key=${key}`
  assert.equal((await readWithoutHeader(client.baseUrl + unknown)).status, 404)
  const tile = `${client.baseUrl}/api/v1/items/${item_id}/tiles/2/1/1.png?key=${key}`
  assert.equal((await readWithoutHeader(tile)).status, 401)
  const { token } = await client.call('items.tile.token.create', { item_id, name: 'Map' })
  assert.equal((await readWithoutHeader(href.replace(key, token))).status, 401)
  for (const suffix of ['.aux.xml', '.ovr']) assert.equal((await readWithoutHeader(href + suffix)).status, 404)
  const broken = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  assert.equal((await readWithoutHeader(href.replace(key, broken))).status, 401)
  const asBearer = await fetch(dataAssetOf(plain).href, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(asBearer.status, 401)
  clock.advance(11 * 3_600_000)
  assert.equal((await readWithoutHeader(href)).status, 200)
  clock.advance(2 * 3_600_000)
  assert.equal((await readWithoutHeader(href)).status, 401)
  const later = app.createClientFor(org.owner.email, org.owner.password)
  const renewed = dataAssetOf(await readSigned(later)).href
  assert.notEqual(renewed, href)
  assert.equal((await readWithoutHeader(renewed)).status, 200)
})
