import { randomBytes } from 'node:crypto'
import { countOutcome, type OutcomeTally } from '../load/samples.ts'
import { createOperationCall, flood, createKeepAliveAgent, send, type HttpCall } from '../load/sender.ts'
import { createTenantClient } from '../load/tenants.ts'
import { uploadFile } from '../load/upload-file.ts'
import { createBombTiff, createComb, createDeepFilter, createLargeItems, createManyMembers } from './hostile-inputs.ts'
import { holdSlowConnection, createPostBytes } from './slow-sockets.ts'
import { createTileRequest, type Attack, type AttackTarget } from './attack-target.ts'

type NextRequest = (index: number) => HttpCall

/** An attack by several callers that repeat requests until its end. */
const repeat = (
  callers: number,
  prepare: (target: AttackTarget) => NextRequest | Promise<NextRequest>,
): Attack['run'] => {
  return async (target, until) => {
    const next = await prepare(target)
    return flood({ url: target.url, next, callers, until_ms: until() })
  }
}

const createGet = (path: string, headers: Readonly<Record<string, string>> = {}): HttpCall => ({
  method: 'GET',
  path,
  headers,
})

const json = { 'content-type': 'application/json' }

const createPost = (
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = json,
): HttpCall => ({ method: 'POST', path, headers, body })

const validatePath = '/v1/op/share.link.validate'
const signInPath = '/realms/public/protocol/openid-connect/token'

const merge = (...tallies: readonly OutcomeTally[]): OutcomeTally => {
  const all: OutcomeTally = new Map()
  for (const tally of tallies) for (const [outcome, times] of tally) countOutcome(all, outcome, times)
  return all
}

/** Minimum time in which four bombs are decompressed and rejected. */
const bomb_ms = 1500

/** Four senders upload a file that decompresses to a gigabyte; items created from it are measured and rendered. */
async function sendBombs(target: AttackTarget, until: () => number): Promise<OutcomeTally> {
  const { url, attacker } = target
  const client = createTenantClient(url, attacker)
  const bomb = createBombTiff()
  const tally: OutcomeTally = new Map()
  const until_ms = until() + bomb_ms
  const agent = createKeepAliveAgent(4)
  const sender = async (): Promise<void> => {
    while (performance.now() < until_ms) {
      const sent = await uploadFile(client, {
        project_id: attacker.project,
        file_name: 'bomb.tif',
        bytes: bomb,
        until_ms,
      }).catch(
        (error: Error & { status?: number }) => void countOutcome(tally, error.status ?? error.message.slice(0, 60)),
      )
      if (!sent) continue
      countOutcome(tally, `upload ${sent.status}`)
      for (const item_id of sent.item_ids) {
        const measure = createOperationCall('items.tile.statistics', { item_id, expression: 'b1' }, attacker.api_key)
        for (const request of [measure, createTileRequest(item_id, attacker.api_key, 1)]) {
          countOutcome(tally, (await send(url, request, agent)).outcome)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, sender))
  agent.destroy()
  return tally
}

/** Ten concurrent slow readers of a list and a search of large items. */
async function listSlowly(target: AttackTarget, until: () => number): Promise<OutcomeTally> {
  const { url, attacker } = target
  await createLargeItems(target)
  const tally: OutcomeTally = new Map()
  const list = createPostBytes(
    url,
    '/v1/op/items.list',
    attacker.api_key,
    JSON.stringify({ project_id: attacker.project, limit: 100 }),
  )
  const search = createPostBytes(url, '/v1/op/stac.search', attacker.api_key, JSON.stringify({ limit: 100 }))
  const until_ms = until()
  const reader = (first: string): Promise<void> =>
    holdSlowConnection({ url, first, interval_ms: 250, reads: true, until_ms }, tally)
  await Promise.all(Array.from({ length: 10 }, (_, index) => reader(index % 2 === 0 ? list : search)))
  return tally
}

/** Headers and bodies sent byte by byte, unread responses, and silent connections. */
async function holdConnections(target: AttackTarget, until: () => number): Promise<OutcomeTally> {
  const { url, attacker, short } = target
  const tally: OutcomeTally = new Map()
  const connectionsPerKind = short ? 250 : 1500
  const until_ms = until()
  const head = `POST /v1/op/items.list HTTP/1.1\r\nhost: ${new URL(url).host}\r\n`
  const unread = `GET /openapi.json HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`
  const kinds = [
    { first: head, drip: 'x-a: b\r\n', interval_ms: 500, reads: false },
    {
      first: `${head}authorization: Bearer ${attacker.api_key}\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{`,
      drip: ' ',
      interval_ms: 500,
      reads: false,
    },
    { first: unread, interval_ms: 1000, reads: false },
    { first: '', interval_ms: 1000, reads: false },
  ]
  const connections: Promise<void>[] = []
  for (let opened = 0; opened < connectionsPerKind && performance.now() < until_ms; opened++) {
    connections.push(...kinds.map((kind) => holdSlowConnection({ url, until_ms, ...kind }, tally)))
    if (opened % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await Promise.all(connections)
  return tally
}

/** One organization floods the server with raster and vector tile requests. */
const floodWork = repeat(64, ({ attacker, attacker_raster, attacker_vector }) => (index) => {
  if (index % 2 === 0) return createTileRequest(attacker_raster, attacker.api_key, index)
  const [x, y] = [index % 64, (index >> 6) % 64]
  return createOperationCall('items.tile.vector', { item_id: attacker_vector, z: 6, x, y }, attacker.api_key)
})

/** A rejected filter returns within this time; an accepted one takes longer. */
const refusal_ms = 500

/** Floods with the largest accepted number of conditions, after finding it. */
async function floodFilters(target: AttackTarget, until: () => number): Promise<OutcomeTally> {
  const { url, attacker } = target
  await createLargeItems(target)
  const searchFor = (times: number): HttpCall =>
    createOperationCall('stac.search', { limit: 10, filter: createDeepFilter(times) }, attacker.api_key)
  const agent = createKeepAliveAgent(1)
  let conditionCount = 120
  const refused: OutcomeTally = new Map()
  for (; conditionCount > 1; conditionCount = Math.floor(conditionCount * 0.7)) {
    const { outcome } = await send(url, searchFor(conditionCount), agent, refusal_ms)
    if (!outcome.startsWith('4')) break
    countOutcome(refused, outcome)
  }
  agent.destroy()
  return merge(refused, await flood({ url, next: () => searchFor(conditionCount), callers: 4, until_ms: until() }))
}

/**
 * Conditions on long texts end after a second of a search, and the text that is folded then takes half a second; twice that
 * on slow cores.
 */
const long_texts_ms = 3000

/** All attacks. */
export const attacks: readonly Attack[] = [
  {
    name: 'unknown members, 9.5 MB',
    run: repeat(2, () => {
      const body = createManyMembers(800_000)
      return () => createPost(validatePath, body)
    }),
  },
  {
    name: 'URLs that are slow to redact',
    run: repeat(4, () => {
      const slashes = createGet(`/x${'/'.repeat(15_000)}swath_aaaaaaaaaaaa`)
      const tokens = createGet(`/x?${'eyJ-'.repeat(3700)}`)
      return (index) => (index % 2 === 0 ? slashes : tokens)
    }),
  },
  { name: 'large items, slow readers', run: listSlowly },
  // Case folding of a 256 KiB text takes 0.45 s in the database, so thirty of them end by their time limit.
  { name: 'filters that fold large texts', run: floodFilters, embedded_max_ms: long_texts_ms },
  { name: 'TIFF that decompresses to a gigabyte', run: sendBombs },
  {
    name: 'estimates with comb-shaped geometries',
    run: repeat(4, async ({ url, attacker }) => {
      const { features } = await createTenantClient(url, attacker).call<{ features: { id: string }[] }>(
        'catalog.search',
        { host_name: 'commercial', limit: 20 },
      )
      const geometry = createComb(489)
      const captures = features.map(({ id }) => ({ id, host: 'commercial', geometry }))
      const request = createOperationCall('orders.archive.estimate', { captures }, attacker.api_key)
      return () => request
    }),
  },
  { name: 'raster and vector tiles, 64 callers', run: floodWork },
  { name: 'slow and silent connections', run: holdConnections },
  {
    name: 'random share tokens',
    run: repeat(32, () => {
      return () =>
        createOperationCall(
          'share.link.validate',
          { token: randomBytes(24).toString('base64url'), password: 'x' },
          null,
        )
    }),
  },
  {
    name: 'wrong passwords',
    run: repeat(32, ({ neighbour }) => {
      const body = (index: number): string =>
        `grant_type=password&password=wrong${index}&username=${encodeURIComponent(index % 2 === 0 ? neighbour.login.username : `nobody${index}@example.org`)}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      // From many loopback addresses, as a single one is rate-limited early.
      return (index) => ({
        ...createPost(signInPath, body(index), headers),
        localAddress: `127.0.${1 + (index % 8)}.${1 + (index % 250)}`,
      })
    }),
  },
  {
    name: 'deep JSON, huge lists and URLs',
    run: repeat(4, ({ attacker }) => {
      const headers = { ...json, authorization: `Bearer ${attacker.api_key}` }
      const requests = [
        createPost(validatePath, '['.repeat(4_000_000)),
        createPost(validatePath, `{"token":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}}`),
        createPost('/v1/op/stac.search', `{"ids":[${'"a",'.repeat(2_000_000)}"a"]}`, headers),
        createPost('/v1/op/items.create', `{"properties":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, headers),
        createGet('/healthz', { 'x-large': 'a'.repeat(100_000) }),
        createGet(`/v1/op/items.list?${'a=1&'.repeat(3500)}`, headers),
      ]
      return (index) => requests[index % requests.length]!
    }),
  },
]
