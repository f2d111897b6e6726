import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { fileSource, fileTarget, folderTarget, uploadStateFile } from '@swath/client/node/index.ts'
import { createTileKey, mapLibreTransform, readItemTiles, readShareTiles } from '@swath/client/tiles/index.ts'
import {
  bytesSource,
  downloadAsset,
  downloadOrder,
  downloadProject,
  uploadFile,
} from '@swath/client/transfer/transfer.ts'
import { waitForOrder, waitForUpload, WaitFailedError } from '@swath/client/wait/wait.ts'
import { nodeWebhook, type DeliveredEvent } from '@swath/client/webhooks/index.ts'
import { placeSceneOrder } from '../orders.ts'
import { hoursFromNow, startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'

const password = 'let me see it'
const secret = 'a secret of my own'

let app: TestApp
let org: TestOrganization
let client: Client
let folder: string
const events: DeliveredEvent[] = []
const receiver = createServer((...sent) => void nodeWebhook({ secret, onEvent: (event) => void events.push(event) })(...sent)) // prettier-ignore
before(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  folder = await mkdtemp(join(tmpdir(), 'swath-transfers-'))
  app = await startTestApp({ environment: { OUTSIDE_ALLOW: receiverUrl() } })
  org = await createTestOrganization(app)
  client = org.owner.client
})
after(async () => {
  await app?.close()
  receiver.close()
  await rm(folder, { recursive: true })
})

const receiverUrl = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** GeoJSON of more than one part. */
const createFields = (): Buffer => {
  const notes = randomBytes(9 * 2 ** 19).toString('hex')
  const geometry = { type: 'Point', coordinates: [7, 50] }
  const features = Array.from({ length: 9 }, (_, index) => ({ type: 'Feature', geometry, properties: { index, notes: notes.slice(index * 2 ** 20, (index + 1) * 2 ** 20) } })) // prettier-ignore
  return Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
}

test('a file that is uploaded in parts goes on after an interruption, and its ingestion is waited for', async () => {
  const path = join(folder, 'fields.geojson')
  await writeFile(path, createFields())
  const state = uploadStateFile(join(folder, 'fields.upload'))
  const stop = new AbortController()
  const interrupted = uploadFile(
    client,
    await fileSource(path),
    { project_id: org.project },
    {
      state,
      parallel: 1,
      signal: stop.signal,
      onProgress: ({ sent_bytes }) => {
        if (sent_bytes > 0) stop.abort(new Error('interrupted'))
      },
    },
  )
  await assert.rejects(interrupted, /interrupted/)
  const upload_id = await state.load()
  const sent: number[] = []
  const session = await uploadFile(
    client,
    await fileSource(path),
    { project_id: org.project },
    {
      state,
      onProgress: ({ step, sent_bytes }) => void (step === 'sending' && sent.push(sent_bytes)),
    },
  )
  assert.equal(session.id, upload_id)
  assert.equal(sent[0], 8 * 2 ** 20)
  assert.equal(await state.load(), null)
  const done = await waitForUpload(client, session.id)
  assert.deepEqual([done.status, done.item_ids.length], ['completed', 1])
})

test('a file that nobody can read fails with the reason', async () => {
  const bytes = new TextEncoder().encode('neither an image nor features')
  const { id } = await uploadFile(client, bytesSource(bytes, 'note.tif'), { project_id: org.project })
  const error = await waitForUpload(client, id).catch((caught: unknown) => caught)
  assert.ok(error instanceof WaitFailedError)
  assert.ok(error.reason !== null && error.reason !== '')
})

test('an order is waited for and downloaded; what is whole stays, and what is damaged is replaced', async () => {
  const order_id = await placeSceneOrder(client, 'open', ['hls-exe-20210613'], org.project)
  const seen: string[] = []
  const order = await waitForOrder(client, order_id, { onChange: ({ status }) => void seen.push(status) })
  assert.deepEqual([order.status, seen.at(-1)], ['FULFILLED', 'FULFILLED'])

  const target = folderTarget(join(folder, 'order'))
  const first = await downloadOrder(client, { order_id }, target)
  assert.ok(first.length >= 2 && first.every(({ state }) => state === 'downloaded'))
  for (const { path, sha256 } of first) assert.equal(sha256Of(await readFile(join(folder, 'order', ...path))), sha256)
  await writeFile(join(folder, 'order', ...first[0]!.path), new Uint8Array(first[0]!.bytes))
  const second = await downloadOrder(client, { order_id }, target)
  const replaced = second.filter(({ state }) => state === 'downloaded').map(({ path }) => path)
  assert.deepEqual(replaced, [first[0]!.path])

  const { item_id, asset_id, bytes, sha256 } = first[0]!
  const single = join(folder, 'single.bin')
  const options = { parallel: 3, range_bytes: Math.ceil(bytes / 5) }
  assert.deepEqual(await downloadAsset(client, { item_id, asset_id }, fileTarget(single), options), { bytes, sha256 })
  assert.equal(sha256Of(await readFile(single)), sha256)

  const whole = await downloadProject(client, { project_id: org.project }, folderTarget(join(folder, 'project')))
  assert.ok(whole.length > first.length)
  assert.ok((await readdir(join(folder, 'project'))).length >= 2)
})

test('a map reads the tiles of an item with a token, and a visitor those of a share', async () => {
  const { items } = await client.call('items.list', { project_id: org.project })
  const item = items.find(({ type }) => type === 'satellite_capture')!
  const tileset = await readItemTiles(client, item.id, { format: 'png', scale: 2 })
  const key = createTileKey(client, { item_id: item.id })
  const [west, , , north] = tileset.bounds
  const fill = (template: string): string => template.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0')
  const { url } = (await mapLibreTransform(key, [tileset])(fill(tileset.template)))!
  assert.ok(west < 180 && north > -90)
  assert.equal((await fetch(fill(tileset.template))).status, 401)
  const tile = await fetch(url)
  assert.deepEqual([tile.status, tile.headers.get('content-type')], [200, 'image/png'])
  await key.revoke()
  assert.equal((await fetch(url)).status, 401)

  const link = { target_type: 'item', target_id: item.id, password, expires_at: hoursFromNow(app, 2) } as const
  const { token } = await client.call<{ token: string }>('share.link.create', link)
  const shared = await readShareTiles(client, { token, password })
  assert.equal((await fetch(fill(shared.template))).status, 200)
})

test("the platform's own deliveries arrive at the adapter as typed events", async () => {
  const workspace_id = org.project
  const webhook = { workspace_id, name: 'mine', url: `${receiverUrl()}/hook`, events: ['order.status', 'job.status'] as ('order.status' | 'job.status')[], secret } // prettier-ignore
  const { id: webhook_id } = await client.call<{ id: string }>('webhooks.create', webhook)
  const { testsRun, testsSucceeded } = await client.call<{ testsRun: number; testsSucceeded: number }>(
    'webhooks.test',
    { workspace_id, webhook_id },
  )
  assert.deepEqual([testsRun, testsSucceeded], [2, 2])
  const read = events.flatMap((event) => (event.event_type === 'order.fulfilled' ? [event.data.toStatus] : []))
  assert.deepEqual(read, ['FULFILLED'])
  assert.ok(events.every(({ test: isTest }) => isTest === true))
})
