import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import type { ProofOptions, Verdict } from '../proof.ts'
import { randomFrom } from '../random.ts'
import { startServer, type ServerProcess } from '../server-process.ts'
import { judgeCog } from './judge-cog.ts'
import { watchMemory, type MemoryWatch } from './peak-memory.ts'
import { writeSeededTiff, type SeededPicture } from './seeded-tiff.ts'
import { countParts, readSession, sendPart, type ReadUpload, type Sending } from './sender.ts'

const login = { username: 'admin@example.com', password: 'upload proof password' }
const mebibyte = 1024 * 1024
const memory_limit_bytes = 1.5 * 1024 * mebibyte
const patience_ms = 30 * 60_000

/** Image sizes: 2 GiB of pixels, or enough that it is ingested by a task and not by the call. */
const full = { side: 16_384, part_bytes: 64 * mebibyte }
const brief = { side: 3072, part_bytes: 8 * mebibyte }

interface Stage {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly violations: string[]
  readonly random: () => number
  server: ServerProcess
  memory: MemoryWatch
  peak_bytes: number
}

/**
 * Uploads a large GeoTIFF in parts over HTTP: the connection is aborted within a part, the server is killed during another
 * part and again during ingestion, and each time the upload is resumed. The result must be a COG with exactly the sent
 * pixels and correct checksums, no temporary files may remain, and the server may never use more than 1.5 GiB.
 */
export async function proveUpload({ short, seed }: ProofOptions): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-upload-proof-'))
  const { side, part_bytes } = short ? brief : full
  const picture: SeededPicture = { seed, side }
  const path = join(folder, 'sent.tif')
  let stage: Stage | null = null
  try {
    const { size, sha256 } = await writeSeededTiff(picture, path)
    console.log(`${size} bytes to be sent in parts of ${part_bytes}, SHA-256 ${sha256}`)
    stage = await open(folder, seed)
    const sending = await begin(stage, { path, size, part_bytes })
    await sendAll(stage, sending)
    const session = await ingest(stage, sending, sha256)
    const gdal = await judge(stage, picture, session, sha256)
    await nothingLeft(stage, session)
    await notePeak(stage)
    const peak = Math.round(stage.peak_bytes / mebibyte)
    if (stage.peak_bytes > memory_limit_bytes) stage.violations.push(`the peak memory of the server was ${peak} MiB`)
    const tried = `${size} bytes in ${countParts(sending)} parts, one connection aborted, the server killed twice, peak memory ${peak} MiB, ${gdal}`
    return { tried, violations: stage.violations }
  } finally {
    stage?.memory.stop()
    await stage?.server.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function open(folder: string, seed: number): Promise<Stage> {
  const work = join(folder, 'work')
  await mkdir(work)
  const environment = {
    SWATH_DATA_DIR: join(folder, 'data'),
    PORT: '0',
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
    DATABASE_URL: '',
    STORAGE_URL: '',
    TMPDIR: work,
  }
  const server = await startServer(environment)
  const random = randomFrom(seed)
  return { folder, environment, violations: [], random, server, memory: watchMemory(server.pid), peak_bytes: 0 }
}

const clientOf = ({ server }: Stage): Client =>
  createClient({ base: server.url, token: tokenSource(server.url, login) })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function notePeak(stage: Stage): Promise<void> {
  stage.peak_bytes = Math.max(stage.peak_bytes, (await stage.memory.peak()) ?? 0)
}

async function killAndStart(stage: Stage, when: string): Promise<void> {
  await notePeak(stage)
  stage.memory.stop()
  await stage.server.kill()
  stage.server = await startServer(stage.environment)
  stage.memory = watchMemory(stage.server.pid)
  console.log(`killed while ${when}, and restarted`)
}

async function begin(stage: Stage, file: Pick<Sending, 'path' | 'size' | 'part_bytes'>): Promise<Sending> {
  const client = clientOf(stage)
  const { projects } = await client.call<{ projects: { id: string }[] }>('projects.list', {})
  const input = { project_id: projects[0]!.id, transfer_method: 'cli', total_bytes: file.size }
  const { id: upload_id } = await client.call<{ id: string }>('uploads.initiate', input)
  return { ...file, upload_id, file_name: 'seeded_20240601.tif' }
}

/** Sends all parts; on the way one connection is aborted and the server is killed. */
async function sendAll(stage: Stage, sending: Sending): Promise<void> {
  const parts = countParts(sending)
  const cutAt = 2 + Math.floor(stage.random() * (parts / 2 - 2))
  const killAt = Math.floor(parts / 2) + 1 + Math.floor(stage.random() * (parts / 2 - 2))
  for (let number = 1; number < cutAt; number++) await sendPart(clientOf(stage), sending, number)
  await sendPart(clientOf(stage), sending, cutAt, sending.part_bytes / 2).catch(() => {})
  const afterCut = await missing(stage, sending)
  if (!afterCut.includes(cutAt)) stage.violations.push('a part whose connection was aborted is stored')
  if (afterCut.length !== parts - cutAt + 1) stage.violations.push('completely sent parts are not stored')
  for (const number of afterCut.filter((part) => part < killAt)) await sendPart(clientOf(stage), sending, number)

  const client = clientOf(stage)
  const lost = sendPart(client, sending, killAt).catch(() => {})
  await pause(stage.random() * 60)
  await killAndStart(stage, 'a part was being received')
  await lost
  const left = await missing(stage, sending)
  const early = left.filter((number) => number < killAt)
  if (early.length > 0) stage.violations.push(`parts ${early.join(', ')} were lost with the server`)
  for (const number of left) await sendPart(clientOf(stage), sending, number)
  const still = await missing(stage, sending)
  if (still.length > 0) stage.violations.push(`parts ${still.join(', ')} never arrived`)
}

async function missing(stage: Stage, sending: Sending): Promise<number[]> {
  const { files } = await readSession(clientOf(stage), sending.upload_id)
  const there = new Set(files.flatMap((file) => file.parts.map((part) => part.number)))
  return Array.from({ length: countParts(sending) }, (_, index) => index + 1).filter((number) => !there.has(number))
}

/** Completes the session, kills the server during ingestion, and waits for the result. */
async function ingest(stage: Stage, { upload_id, size }: Sending, sha256: string): Promise<ReadUpload> {
  const before = await readSession(clientOf(stage), upload_id)
  const [file] = before.files
  const parts = file!.parts.map(({ number, etag }) => ({ number, etag }))
  const files = [{ object_path: file!.object_path, size, sha256, parts }]
  await clientOf(stage).call('uploads.complete', { upload_id, files })
  await pause(300 + stage.random() * (size / 1_000_000))
  const { status } = await readSession(clientOf(stage), upload_id)
  if (status !== 'ingesting') stage.violations.push(`the upload was ${status} when the server was killed`)
  await killAndStart(stage, 'the file was being ingested')
  const again = await clientOf(stage).call<{ upload: ReadUpload }>('uploads.complete', { upload_id, files })
  if (again.upload.id !== upload_id) stage.violations.push('completing again returned another upload')
  const until = performance.now() + patience_ms
  for (;;) {
    const session = await readSession(clientOf(stage), upload_id)
    if (session.status !== 'ingesting') return session
    if (performance.now() > until) throw new Error('the ingestion did not end')
    await pause(500)
  }
}

interface Asset {
  readonly id: string
  readonly key: string
  readonly file_size_bytes: number
}

async function judge(stage: Stage, picture: SeededPicture, session: ReadUpload, sha256: string): Promise<string> {
  if (session.status !== 'completed') throw new Error(`the upload is ${session.status}: ${session.error_message}`)
  if (session.files[0]!.sha256 !== sha256) stage.violations.push('the checksum of the file differs from the sent one')
  const client = clientOf(stage)
  const [item_id] = session.item_ids
  const { assets } = await client.call<{ assets: Asset[] }>('items.list_assets', { item_id })
  const data = assets.find((asset) => asset.key === 'data')!
  const stac = await client.call<{ assets: Record<string, Record<string, string>> }>('items.get_stac', { item_id })
  const stated = stac.assets['data']!['file:checksum']!.slice('1220'.length)
  const { url } = await client.call<{ url: string }>('items.asset.download', { item_id, asset_id: data.id })
  const answer = await fetch(url)
  const path = join(stage.folder, 'cog.tif')
  await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(path))
  const { violations, gdal } = await judgeCog(path, picture, { size: data.file_size_bytes, sha256: stated })
  stage.violations.push(...violations)
  return gdal
}

/** Checks that uploaded parts, temporary files and the reservation are gone. */
async function nothingLeft(stage: Stage, session: ReadUpload): Promise<void> {
  if (session.reserved_bytes !== 0) stage.violations.push(`${session.reserved_bytes} bytes are still reserved`)
  let left: string[] = []
  for (let tries = 0; tries < 60; tries++) {
    const objects = await readdir(join(stage.folder, 'data', 'blobs'), { recursive: true, withFileTypes: true })
    const sent = objects.filter((entry) => entry.isFile() && entry.parentPath.includes('/uploads/'))
    const drafts = objects.filter((entry) => entry.isFile() && entry.parentPath.endsWith('/drafts'))
    const work = await readdir(join(stage.folder, 'work'), { recursive: true, withFileTypes: true })
    const spooled = work.filter((entry) => entry.isFile() && entry.parentPath.includes('swath-work-'))
    left = [...sent, ...spooled, ...drafts].map((entry) => join(entry.parentPath, entry.name))
    if (left.length === 0) return
    await pause(500)
  }
  stage.violations.push(`left behind: ${left.map((path) => path.slice(stage.folder.length)).join(', ')}`)
}
