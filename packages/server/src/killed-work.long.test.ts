import { everyScope } from '@swath/client/every-scope.ts'
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { startServerProcess, waitForOutput } from '../test/server-processes.ts'
import { newId } from './platform/ids.ts'

const login = { username: 'admin@example.com', password: 'a password for killed work', scope: everyScope }
const scene = 'landsat8-nyc/LC08_L1TP_014032_20180615_20180703_01_T1/LC08_L1TP_014032_20180615_B4.tif'

let root: string
let temporary: string
const started: ChildProcess[] = []
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'swath-killed-'))
  temporary = join(root, 'temporary')
  await mkdir(temporary)
})
after(async () => {
  for (const child of started) child.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

interface RunningServer {
  readonly child: ChildProcess
  readonly client: Client
}

async function start(): Promise<RunningServer> {
  const process = startServerProcess({
    PORT: '0',
    SWATH_DATA_DIR: join(root, 'data'),
    SWATH_DEMO: 'on',
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
    TMPDIR: temporary,
  })
  started.push(process.child)
  await waitForOutput(process, /is ready at http:\S+/)
  const [, base] = /is ready at (http:\S+)/.exec(process.output.out)!
  return { child: process.child, client: createClient({ baseUrl: base!, token: createTokenSource(base!, login) }) }
}

const listWorkFolders = async (): Promise<string[]> =>
  (await readdir(temporary)).filter((name) => name.startsWith('swath-work-'))

/** Kills the process as soon as it has a file in a work folder; returns the folders that it leaves. */
async function killDuringWork({ child }: RunningServer): Promise<string[]> {
  for (;;) {
    for (const name of await listWorkFolders()) {
      const files = await readdir(join(temporary, name)).catch(() => [])
      if (files.length === 0) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
      const leftovers = await listWorkFolders()
      assert.ok(leftovers.length > 0)
      return leftovers
    }
    assert.equal(child.exitCode, null)
    await pause(1)
  }
}

async function assertDeleted(leftovers: readonly string[]): Promise<void> {
  const there = new Set(await readdir(temporary))
  assert.deepEqual(
    leftovers.filter((name) => there.has(name)),
    [],
  )
}

async function waitForStatus(client: Client, id: string, input: object, expectedStatus: string): Promise<void> {
  for (;;) {
    const found = await client.call<{ status: string }>(id, input)
    const { status } = found
    if (status === expectedStatus) return
    assert.ok(!['failed', 'FAILED_PERMANENTLY'].includes(status), status)
    await pause(100)
  }
}

/** Creates an upload session and sends its file; returns the input of `uploads.complete`. */
async function sendScene(client: Client): Promise<{ upload_id: string; files: object[] }> {
  const bytes = await readFile(new URL(`../demo/scenes/${scene}`, import.meta.url))
  const { projects } = await client.call<{ projects: { id: string }[] }>('projects.list', {})
  const initiateInput = { project_id: projects[0]!.id, total_bytes: bytes.length }
  const { id: upload_id } = await client.call<{ id: string }>('uploads.initiate', initiateInput)
  const signedUrlInput = { upload_id, file_name: 'scene.tif', content_type: 'image/tiff' }
  const { upload_url, object_path } = await client.call<{ upload_url: string; object_path: string }>(
    'uploads.signed_url',
    signedUrlInput,
  )
  const headers = { 'content-type': 'image/tiff' }
  assert.equal((await fetch(upload_url, { method: 'PUT', body: new Uint8Array(bytes), headers })).status, 200)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { upload_id, files: [{ object_path, size: bytes.length, sha256 }] }
}

async function placeOrder(client: Client): Promise<string> {
  const search = { host_name: 'open', limit: 1 }
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', search)
  const captures = features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  return (await client.call<{ id: string }>('orders.archive.place', { captures })).id
}

test('deletes the work folders of a killed upload and delivery, and of older versions, at the next start', async () => {
  const first = await start()
  const upload = await sendScene(first.client)
  const completing = first.client.call('uploads.complete', upload).catch(() => null)
  const leftovers = [...(await killDuringWork(first)), `swath-upload-${newId()}`, 'swath-delivery-Ab12Cd']
  await completing
  for (const name of leftovers) await mkdir(join(temporary, name, '1'), { recursive: true })
  // A process of an older version may run beside this one: folders with open files are not deleted.
  const openFolder = join(temporary, `swath-upload-${newId()}`)
  await mkdir(openFolder)
  const file = await open(join(openFolder, 'scene.tif'), 'w')

  const second = await start().finally(() => file.close())
  await assertDeleted(process.platform === 'linux' ? leftovers : leftovers.slice(0, 1))
  assert.deepEqual(await readdir(openFolder), ['scene.tif'])
  const order_id = await placeOrder(second.client)
  const deliveryLeftovers = await killDuringWork(second)

  const third = await start()
  await assertDeleted([...deliveryLeftovers, ...(process.platform === 'linux' ? [openFolder] : [])])
  await waitForStatus(third.client, 'orders.get', { order_id }, 'FULFILLED')
  third.child.kill('SIGTERM')
  assert.deepEqual(await once(third.child, 'exit'), [0, null])
  assert.deepEqual(await listWorkFolders(), [])
})
