import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { startTestServer, type TestServer } from '../../../packages/server/test/hosts/stac-server.ts'
import { installPgstac, pgstacEnvironment, servePgstac, type PgstacInstallation } from '../../bench/search/pgstac.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { startServer } from '../server-process.ts'

const run = promisify(execFile)
const postgresScript = fileURLToPath(new URL('../../../.ci/postgres.sh', import.meta.url))
const demo = new URL('../../../packages/server/demo/', import.meta.url)
const login = { username: 'admin@example.com', password: 'hosts proof password' }
const delivery_ms = 60_000

interface DemoScene {
  readonly id: string
  readonly geometry: unknown
  readonly bbox: readonly number[]
  readonly assets: readonly { readonly files: readonly { readonly path: string; readonly bytes: number }[] }[]
}

/**
 * Searches and buys from a real STAC API: stac-fastapi with pgstac on a temporary PostgreSQL, whose items refer to files of a
 * server on this machine. Every scene is found once over many pages, newest first; one is bought and delivered.
 */
export async function proveHosts({ short }: ProofOptions): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-hosts-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const { scene, files } = await serveFiles()
    closers.push(() => files.close())
    const database = (await run(postgresScript)).stdout.trim().split('\n').at(-1)!
    closers.push(() => run(postgresScript, ['stop', database]))
    const installation = { folder: join(tmpdir(), 'swath-peers'), url: database }
    const count = short ? 60 : 600
    await loadItems(installation, folder, createItems(scene, files, count))
    const api = await servePgstac(installation, 4)
    closers.push(() => api.stop())
    const hostsFile = join(folder, 'hosts.json')
    await writeFile(hostsFile, JSON.stringify({ hosts: [describeHost(api.url, files.url)] }))
    const server = await startServer({
      SWATH_DATA_DIR: join(folder, 'data'),
      PORT: '0',
      DATABASE_URL: '',
      SWATH_ADMIN_EMAIL: login.username,
      SWATH_ADMIN_PASSWORD: login.password,
      CATALOG_HOSTS_FILE: hostsFile,
    })
    closers.push(() => server.stop())
    const client = createClient({ baseUrl: server.url, token: createTokenSource(server.url, login) })
    return await searchAndBuy(client, count)
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

async function serveFiles(): Promise<{ scene: DemoScene; files: TestServer }> {
  const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as { scenes: DemoScene[] }
  const scene = scenes.find(({ id }) => id === 'naip-va-17n')!
  const bytes = new Uint8Array(await readFile(new URL(`scenes/${scene.assets[0]!.files[0]!.path}`, demo)))
  return { scene, files: await startTestServer(() => ({ body: bytes, headers: { 'content-type': 'image/tiff' } })) }
}

/** Items of which three share each time, in an order that is not that of their times. */
const createItems = ({ geometry, bbox, assets }: DemoScene, { url }: TestServer, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: [],
    id: `scene-${String((index * 37) % count).padStart(4, '0')}`,
    collection: 'scenes',
    geometry,
    bbox,
    properties: {
      datetime: new Date(Date.UTC(2025, 0, 1 + Math.floor(index / 3))).toISOString(),
      'eo:cloud_cover': index % 100,
    },
    links: [],
    assets: {
      visual: {
        href: `${url}/scene.tif`,
        type: 'image/tiff; application=geotiff',
        roles: ['data'],
        'file:size': assets[0]!.files[0]!.bytes,
      },
    },
  }))

async function loadItems(
  installation: PgstacInstallation,
  folder: string,
  items: readonly { readonly id: string }[],
): Promise<void> {
  const python = installPgstac(installation.folder)
  const pypgstac = (...args: readonly string[]): void =>
    void execFileSync(python, ['-m', 'pypgstac.pypgstac', ...args], {
      env: pgstacEnvironment(installation),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  pypgstac('migrate')
  const [collections, lines] = [join(folder, 'collections.ndjson'), join(folder, 'items.ndjson')]
  const extent = { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [['2020-01-01T00:00:00Z', null]] } }
  const collection = {
    id: 'scenes',
    type: 'Collection',
    stac_version: '1.0.0',
    description: 'Scenes',
    license: 'CC0-1.0',
  }
  await writeFile(collections, JSON.stringify({ ...collection, links: [], extent }))
  await writeFile(lines, items.map((item) => JSON.stringify(item)).join('\n'))
  pypgstac('load', 'collections', collections, '--method', 'insert')
  pypgstac('load', 'items', lines, '--method', 'insert')
}

const describeHost = (url: string, files: string) => ({
  kind: 'stac',
  name: 'fastapi',
  title: 'stac-fastapi',
  license: 'CC0-1.0',
  license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
  attribution: 'Test data',
  url,
  allow_private: true,
  private_origins: [files],
})

interface SearchPage {
  readonly features: readonly {
    readonly id: string
    readonly geometry: object
    readonly properties: { readonly datetime: string }
  }[]
  readonly next?: string
}

async function searchAndBuy(client: Client, count: number): Promise<ProofResult> {
  const violations: string[] = []
  const check = (isTrue: boolean, message: string): void => void (isTrue || violations.push(message))
  const { sources } = await client.call<{ sources: { id: string; status: string; collections: object[] }[] }>(
    'catalog.sources.list',
    {},
  )
  const source = sources.find(({ id }) => id === 'fastapi')
  check(source?.status === 'available' && source.collections.length === 1, `the source is ${JSON.stringify(source)}`)

  const found: SearchPage['features'][number][] = []
  let pages = 0
  for (let next: string | undefined; ;) {
    const page = await client.call<SearchPage>('catalog.search', {
      host_name: 'fastapi',
      limit: 25,
      ...(next ? { next } : {}),
    })
    found.push(...page.features)
    pages += 1
    next = page.next
    if (!next || pages > count) break
  }
  check(found.length === count, `${found.length} of ${count} scenes were found`)
  check(new Set(found.map(({ id }) => id)).size === found.length, 'a scene was found twice')
  const keys = found.map(({ id, properties }) => [properties.datetime, id] as const)
  const isSorted = keys.every(([time, id], index) => {
    const before = keys[index - 1]
    return !before || before[0] > time || (before[0] === time && before[1] < id)
  })
  check(isSorted, 'the scenes are not in order')

  const capture = { id: found[0]!.id, geometry: found[0]!.geometry, host: 'fastapi' }
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures: [capture] })
  const end_ms = performance.now() + delivery_ms
  let status = ''
  while (status !== 'FULFILLED' && performance.now() < end_ms) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    status = (await client.call<{ status: string }>('orders.get', { order_id: id })).status
  }
  check(status === 'FULFILLED', `the order is ${status}`)
  const { features } = await client.call<{ features: { assets: Record<string, unknown> }[] }>('orders.list_assets', {
    order_id: id,
  })
  check('visual' in (features[0]?.assets ?? {}), 'the delivered item has no data')
  return { tried: `${count} scenes of stac-fastapi in ${pages} pages, one bought`, violations }
}
