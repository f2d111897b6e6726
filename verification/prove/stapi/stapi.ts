import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTokenSource } from '@swath/client/tokens.ts'
import { startTestServer, type TestServer } from '../../../packages/server/test/hosts/stac-server.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { startServer } from '../server-process.ts'

const run = promisify(execFile)
const login = { username: 'admin@example.com', password: 'stapi proof password' }
const demo = new URL('../../../packages/server/demo/', import.meta.url)
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Folder with the public server and models, also for `.ci/run`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-stapi')

/**
 * A program on the public models of STAPI walks the interface of a started server and buys from a provider behind it, which
 * runs on the public stapi-fastapi: at once, and after an asynchronous search. The response to the first order of each product
 * is lost, and none is placed twice. `data` is the folder of the public programs, which are installed if missing.
 */
export async function proveStapi({ data, short }: ProofOptions): Promise<ProofResult> {
  const programs = data ?? defaultFolder()
  await run('bash', [pathOf('./install.sh'), programs])
  const python = join(programs, 'python/bin/python')
  const folder = await mkdtemp(join(tmpdir(), 'swath-stapi-proof-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const { item, area, files } = await serveScene()
    closers.push(() => files.close())
    const provider = await startProvider(python, item)
    closers.push(() => provider.stop())
    const hostsFile = join(folder, 'hosts.json')
    await writeFile(hostsFile, JSON.stringify({ hosts: [describeHost(provider.url, files.url)] }))
    const server = await startServer({
      SWATH_DATA_DIR: join(folder, 'data'),
      PORT: '0',
      DATABASE_URL: '',
      SWATH_ADMIN_EMAIL: login.username,
      SWATH_ADMIN_PASSWORD: login.password,
      CATALOG_HOSTS_FILE: hostsFile,
    })
    closers.push(() => server.stop())
    const token = await createTokenSource(server.url, login)()
    const products = short ? ['Optical'] : ['Optical', 'Radar']
    const walk = JSON.stringify({ url: `${server.url}/stapi`, token, area, products })
    const { stdout } = await run(python, [pathOf('./walk.py'), walk], { maxBuffer: 1024 * 1024 })
    const lines = stdout.split('\n').filter((line) => line !== '')
    const placed = await countOrders(provider.url)
    const twice = placed === products.length ? [] : [`the provider has ${placed} orders instead of ${products.length}`]
    const answers = lines.find((line) => line.startsWith('answers '))
    return {
      tried: `${answers ?? 'no answers'} validated with stapi-pydantic, ${products.length} orders at stapi-fastapi`,
      violations: [...lines.filter((line) => line !== answers), ...twice],
    }
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

interface DemoScene {
  readonly id: string
  readonly geometry: object
  readonly bbox: readonly [number, number, number, number]
  readonly assets: readonly { readonly files: readonly { readonly path: string }[] }[]
}

/** A scene that every order delivers, and an area within it. */
async function serveScene(): Promise<{ item: object; area: object; files: TestServer }> {
  const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as { scenes: DemoScene[] }
  const { geometry, bbox, assets } = scenes.find(({ id }) => id === 'naip-va-17n')!
  const bytes = new Uint8Array(await readFile(new URL(`scenes/${assets[0]!.files[0]!.path}`, demo)))
  const files = await startTestServer(() => ({ body: bytes, headers: { 'content-type': 'image/tiff' } }))
  const asset = { href: `${files.url}/scene.tif`, type: 'image/tiff; application=geotiff', roles: ['data'] }
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: 'acquired',
    geometry,
    bbox,
    links: [],
    properties: { datetime: new Date().toISOString(), 'eo:cloud_cover': 3 },
    assets: { visual: asset },
  }
  const [west, south, east, north] = bbox
  const at = (x: number, y: number) => [west + (east - west) * x, south + (north - south) * y]
  const ring = [at(0.4, 0.4), at(0.6, 0.4), at(0.6, 0.6), at(0.4, 0.6), at(0.4, 0.4)]
  return { item, area: { type: 'Polygon', coordinates: [ring] }, files }
}

const describeHost = (url: string, files: string) => {
  const price = { product: 'Tasking', rate_credits: 100, minimum_km2: 1, licences: ['standard'] }
  const product = { price, max_area_km2: 1000, order_parameters: { delivery: 'link' } }
  return {
    kind: 'stapi',
    name: 'provider',
    title: 'stapi-fastapi',
    attribution: 'Test data',
    license: 'CC0-1.0',
    license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    url,
    allow_private: true,
    private_origins: [files],
    poll_s: 1,
    sensors: [{ id: 'camera', title: 'A camera', gsd_m: 1, swath_km: 10, max_off_nadir_deg: 30 }],
    products: [
      { id: 'optical', ...product },
      { id: 'radar', ...product },
    ],
  }
}

const start_timeout_ms = 60_000

async function startProvider(python: string, item: object): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const child = spawn(
    python,
    ['-m', 'uvicorn', 'provider:app', '--app-dir', pathOf('.'), '--port', String(port), '--log-level', 'warning'],
    { env: { ...process.env, ITEM: JSON.stringify(item) }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child)
  return {
    url,
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
      process.off('exit', kill)
    },
  }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const end_ms = performance.now() + start_timeout_ms
  for (;;) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    if (child.exitCode !== null || performance.now() > end_ms) throw new Error('the provider did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Read after the walk, which asks the interface alone. */
async function countOrders(url: string): Promise<number> {
  const page = (await (await fetch(`${url}/orders?limit=100`)).json()) as { readonly features: readonly unknown[] }
  return page.features.length
}
