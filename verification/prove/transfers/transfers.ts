import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { waitForUpload } from '@swath/client/wait/wait.ts'
import { moduleLoaderFlags } from '../../../packages/server/test/server-processes.ts'
import { createRandom } from '../harness/random.ts'
import { createFolder } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { writeSeededTiff } from '../upload/seeded-tiff.ts'
import type { TransferWork } from './transfer-child.ts'

const child = fileURLToPath(new URL('./transfer-child.ts', import.meta.url))
const mebibyte = 2 ** 20
const kills = 10
/** In flight at a kill: four ranges of 4 MiB of a download, three parts of 8 MiB of an upload; and what sockets hold. */
const lost_bytes = { download: 24 * mebibyte, upload: 32 * mebibyte }
/** Pixels per side: 2 GiB, or 72 MiB, of four bands of 16 bits. */
const sides = { full: 16_384, short: 3072 }

/** Counts the bytes of the bodies of files between the children and the server. */
interface ByteCounter {
  readonly url: string
  bytes: number
  close(): void
}

/** A proxy in front of the server, whose signed URLs name it, too. */
async function startCounter(target: string): Promise<ByteCounter> {
  const server = createServer((request, response) => {
    const isFile = request.url?.startsWith('/blobs/') ?? false
    const count = (stream: IncomingMessage): void => {
      if (isFile) stream.on('data', (piece: Buffer) => (counter.bytes += piece.length))
    }
    const options = { method: request.method, headers: request.headers }
    const call = forward(new URL(request.url ?? '/', target), options, (answer) => {
      count(answer)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    call.on('error', () => response.destroy())
    response.on('close', () => call.destroy())
    count(request)
    request.pipe(call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const counter = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return counter
}

/** Runs the child until it is done; kills it `kills` times, each time after another share of the bytes. Returns what it printed. */
async function runKilled(
  work: TransferWork,
  counter: ByteCounter,
  size: number,
  random: () => number,
): Promise<string> {
  for (let killed = 0; ;) {
    const program = spawn(process.execPath, [...moduleLoaderFlags(), child, JSON.stringify(work)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    program.stdout.on('data', (text: Buffer) => (printed += String(text)))
    const exited = once(program, 'exit')
    // The next kill is somewhere in the next tenth.
    const until_bytes = counter.bytes + (size / kills) * (0.2 + 0.6 * random())
    let isRunning = true
    exited.then(() => (isRunning = false)).catch(() => undefined)
    while (isRunning && (killed === kills || counter.bytes < until_bytes)) await pause(5)
    if (isRunning) program.kill('SIGKILL')
    await exited
    const [, result] = /^done (\S+)$/m.exec(printed) ?? []
    if (result !== undefined) {
      console.log(`${work.kind}: killed ${killed} times`)
      return result
    }
    if (!isRunning && killed === kills) throw new Error(`the ${work.kind} ended without a result`)
    killed++
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

/**
 * Uploads and downloads a large file over HTTP with the client, whose process is killed ten times at random moments of each. Both
 * arrive whole by their SHA-256, and no more bytes are sent again than were in flight at the kills.
 */
export async function proveTransfers({ short, seed, data }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('transfers', data)
  const path = join(folder.path, 'sent.tif')
  const { size, sha256 } = await writeSeededTiff({ seed, side: short ? sides.short : sides.full, isNoise: true }, path)
  await mkdir(join(folder.path, 'work'))
  await using server = await startServer({
    SWATH_DATA_DIR: join(folder.path, 'data'),
    STORAGE_URL: '',
    TMPDIR: join(folder.path, 'work'),
    DOWNLOADS_PER_ASSET_PER_DAY: '1000',
  })
  const counter = await startCounter(server.url)
  const random = createRandom(seed)
  const violations: string[] = []
  const check = (kind: TransferWork['kind'], file_bytes: number, sent_bytes: number): void => {
    const again_bytes = Math.max(0, sent_bytes - file_bytes)
    console.log(
      `${kind}: ${file_bytes} bytes, sent again ${again_bytes} (${Math.round(again_bytes / kills / 1024)} KiB per kill)`,
    )
    if (again_bytes > kills * lost_bytes[kind]) violations.push(`the ${kind} sent ${again_bytes} bytes again`)
  }
  try {
    const { client } = server
    const { id: project_id } = await client.call<{ id: string }>('projects.create', { name: 'Transfers' })
    const upload_id = await runKilled({ kind: 'upload', url: counter.url, path, project_id }, counter, size, random)
    check('upload', size, counter.bytes)
    const session = await waitForUpload(client, upload_id)
    if (session.files[0]?.sha256 !== sha256) violations.push('the upload has another SHA-256')

    const item_id = session.item_ids[0]!
    const { assets } = await client.call('items.list_assets', { item_id })
    const asset = assets.find(({ key }) => key === 'data')!
    const target = join(folder.path, 'received.tif')
    const work = { kind: 'download', url: counter.url, path: target, item_id, asset_id: asset.id } as const
    counter.bytes = 0
    const received = await runKilled(work, counter, asset.file_size_bytes!, random)
    check('download', asset.file_size_bytes!, counter.bytes)
    if ((await stat(target)).size !== asset.file_size_bytes) violations.push('the download has another size')
    if ((await hashOf(target)) !== received || asset.checksum !== `1220${received}`)
      violations.push('the download has another SHA-256')
  } finally {
    counter.close()
  }
  return { tried: `an upload of ${size} bytes and a download, each killed ${kills} times`, violations }
}
