import { createWriteStream } from 'node:fs'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../harness/random.ts'
import { createFolder, waitFor } from '../harness/resources.ts'
import { startServer, type ServerProcess } from '../harness/server-process.ts'
import { validateCog } from './validate-cog.ts'
import { writeSeededTiff, type SeededImage } from './seeded-tiff.ts'
import { countParts, readUploadSession, sendPart, type UploadSession, type MultipartFile } from './multipart-sender.ts'
import { watchMemory, type MemoryWatch } from '../harness/process-tree.ts'

const mebibyte = 1024 * 1024
const memory_limit_bytes = 1.5 * 1024 * mebibyte
const ingest_timeout_ms = 30 * 60_000
const poll_ms = 250

/** Image sizes: 2 GiB of pixels, or enough that it is ingested by a task and not by the call. */
const fullSize = { side: 16_384, part_bytes: 64 * mebibyte }
const shortSize = { side: 3072, part_bytes: 8 * mebibyte }

interface UploadProofContext {
  readonly folder: string
  readonly violations: string[]
  readonly random: () => number
  readonly server: ServerProcess
  memory: MemoryWatch
  peak_bytes: number
}

/**
 * Uploads a large GeoTIFF in parts over HTTP: the connection is aborted within a part, the server is killed during another
 * part and again during ingestion, and each time the upload is resumed. The result must be a COG with exactly the sent
 * pixels and correct checksums, no temporary files may remain, and the server may never use more than 1.5 GiB.
 */
export async function proveUpload({ short, seed }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('upload')
  const { side, part_bytes } = short ? shortSize : fullSize
  const image: SeededImage = { seed, side }
  const path = join(folder.path, 'sent.tif')
  const { size, sha256 } = await writeSeededTiff(image, path)
  console.log(`${size} bytes to be sent in parts of ${part_bytes}, SHA-256 ${sha256}`)
  await mkdir(join(folder.path, 'work'))
  await using server = await startServer({
    SWATH_DATA_DIR: join(folder.path, 'data'),
    STORAGE_URL: '',
    TMPDIR: join(folder.path, 'work'),
  })
  const violations: string[] = []
  const memory = watchMemory(server.pid, 'VmHWM', poll_ms)
  const context = { folder: folder.path, violations, random: createRandom(seed), server, memory, peak_bytes: 0 }
  try {
    const multipartFile = await initiateUpload(context, { path, size, part_bytes })
    await sendAll(context, multipartFile)
    const session = await ingest(context, multipartFile, sha256)
    const gdal = await checkResult(context, image, session, sha256)
    await checkNothingLeft(context, session)
    await recordPeakMemory(context)
    const peak = Math.round(context.peak_bytes / mebibyte)
    if (context.peak_bytes > memory_limit_bytes) violations.push(`the peak memory of the server was ${peak} MiB`)
    const tried = `${size} bytes in ${countParts(multipartFile)} parts, one connection aborted, the server killed twice, peak memory ${peak} MiB, ${gdal}`
    return { tried, violations }
  } finally {
    context.memory.stop()
  }
}

async function recordPeakMemory(context: UploadProofContext): Promise<void> {
  context.peak_bytes = Math.max(context.peak_bytes, await context.memory.peak())
}

/** A killed server leaves the file that it was writing; a start removes such files after a day, which this makes pass. */
async function ageDrafts(folder: string): Promise<void> {
  const drafts = join(folder, 'data', 'blobs', 'drafts')
  const twoDaysAgo_s = Date.now() / 1000 - 2 * 86_400
  for (const name of await readdir(drafts)) await utimes(join(drafts, name), twoDaysAgo_s, twoDaysAgo_s)
}

async function killAndStart(context: UploadProofContext, when: string): Promise<void> {
  await recordPeakMemory(context)
  context.memory.stop()
  await context.server.kill()
  await ageDrafts(context.folder)
  await context.server.start()
  context.memory = watchMemory(context.server.pid, 'VmHWM', poll_ms)
  console.log(`killed while ${when}, and restarted`)
}

async function initiateUpload(
  context: UploadProofContext,
  file: Pick<MultipartFile, 'path' | 'size' | 'part_bytes'>,
): Promise<MultipartFile> {
  const client = context.server.client
  const { projects } = await client.call<{ projects: { id: string }[] }>('projects.list', {})
  const input = { project_id: projects[0]!.id, transfer_method: 'cli', total_bytes: file.size }
  const { id: upload_id } = await client.call<{ id: string }>('uploads.initiate', input)
  return { ...file, upload_id, file_name: 'seeded_20240601.tif' }
}

/** Sends all parts; on the way one connection is aborted and the server is killed. */
async function sendAll(context: UploadProofContext, multipartFile: MultipartFile): Promise<void> {
  const parts = countParts(multipartFile)
  const cutAt = 2 + Math.floor(context.random() * (parts / 2 - 2))
  const killAt = Math.floor(parts / 2) + 1 + Math.floor(context.random() * (parts / 2 - 2))
  for (let number = 1; number < cutAt; number++) await sendPart(context.server.client, multipartFile, number)
  await sendPart(context.server.client, multipartFile, cutAt, multipartFile.part_bytes / 2).catch(() => {})
  const afterCut = await listMissingParts(context, multipartFile)
  if (!afterCut.includes(cutAt)) context.violations.push('a part whose connection was aborted is stored')
  if (afterCut.length !== parts - cutAt + 1) context.violations.push('completely sent parts are not stored')
  for (const number of afterCut.filter((part) => part < killAt))
    await sendPart(context.server.client, multipartFile, number)

  const client = context.server.client
  const lostPart = sendPart(client, multipartFile, killAt).catch(() => {})
  await pause(context.random() * 60)
  await killAndStart(context, 'a part was being received')
  await lostPart
  const missingParts = await listMissingParts(context, multipartFile)
  const lostParts = missingParts.filter((number) => number < killAt)
  if (lostParts.length > 0) context.violations.push(`parts ${lostParts.join(', ')} were lost with the server`)
  for (const number of missingParts) await sendPart(context.server.client, multipartFile, number)
  const stillMissing = await listMissingParts(context, multipartFile)
  if (stillMissing.length > 0) context.violations.push(`parts ${stillMissing.join(', ')} never arrived`)
}

async function listMissingParts(context: UploadProofContext, multipartFile: MultipartFile): Promise<number[]> {
  const { files } = await readUploadSession(context.server.client, multipartFile.upload_id)
  const presentParts = new Set(files.flatMap((file) => file.parts.map((part) => part.number)))
  return Array.from({ length: countParts(multipartFile) }, (_, index) => index + 1).filter(
    (number) => !presentParts.has(number),
  )
}

/** Completes the session, kills the server during ingestion, and waits for the result. */
async function ingest(
  context: UploadProofContext,
  { upload_id, size }: MultipartFile,
  sha256: string,
): Promise<UploadSession> {
  const before = await readUploadSession(context.server.client, upload_id)
  const [file] = before.files
  const parts = file!.parts.map(({ number, etag }) => ({ number, etag }))
  const files = [{ object_path: file!.object_path, size, sha256, parts }]
  await context.server.client.call('uploads.complete', { upload_id, files })
  await pause(300 + context.random() * (size / 1_000_000))
  const { status } = await readUploadSession(context.server.client, upload_id)
  if (status !== 'ingesting') context.violations.push(`the upload was ${status} when the server was killed`)
  await killAndStart(context, 'the file was being ingested')
  const completedAgain = await context.server.client.call<{ upload: UploadSession }>('uploads.complete', {
    upload_id,
    files,
  })
  if (completedAgain.upload.id !== upload_id) context.violations.push('completing again returned another upload')
  const find = async (): Promise<UploadSession | false> => {
    const session = await readUploadSession(context.server.client, upload_id)
    return session.status !== 'ingesting' && session
  }
  const ended = await waitFor(find, { timeout_ms: ingest_timeout_ms, poll_ms: 500 })
  if (ended === null) throw new Error('the ingestion did not end')
  return ended
}

interface Asset {
  readonly id: string
  readonly key: string
  readonly file_size_bytes: number
}

async function checkResult(
  context: UploadProofContext,
  image: SeededImage,
  session: UploadSession,
  sha256: string,
): Promise<string> {
  if (session.status !== 'completed') throw new Error(`the upload is ${session.status}: ${session.error_message}`)
  if (session.files[0]!.sha256 !== sha256) context.violations.push('the checksum of the file differs from the sent one')
  const client = context.server.client
  const [item_id] = session.item_ids
  const { assets } = await client.call<{ assets: Asset[] }>('items.list_assets', { item_id })
  const data = assets.find((asset) => asset.key === 'data')!
  const stac = await client.call<{ assets: Record<string, Record<string, string>> }>('items.get_stac', { item_id })
  const storedChecksum = stac.assets['data']!['file:checksum']!.slice('1220'.length)
  const { url } = await client.call<{ url: string }>('items.asset.download', { item_id, asset_id: data.id })
  const response = await fetch(url)
  const path = join(context.folder, 'cog.tif')
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path))
  const { violations, gdal } = await validateCog(path, image, { size: data.file_size_bytes, sha256: storedChecksum })
  context.violations.push(...violations)
  return gdal
}

/** Checks that uploaded parts, temporary files and the reservation are deleted. */
async function checkNothingLeft(context: UploadProofContext, session: UploadSession): Promise<void> {
  if (session.reserved_bytes !== 0) context.violations.push(`${session.reserved_bytes} bytes are still reserved`)
  let missingParts: string[] = []
  for (let tries = 0; tries < 60; tries++) {
    const objects = await readdir(join(context.folder, 'data', 'blobs'), { recursive: true, withFileTypes: true })
    const sent = objects.filter((entry) => entry.isFile() && entry.parentPath.includes('/uploads/'))
    const drafts = objects.filter((entry) => entry.isFile() && entry.parentPath.endsWith('/drafts'))
    const work = await readdir(join(context.folder, 'work'), { recursive: true, withFileTypes: true })
    const workFiles = work.filter((entry) => entry.isFile() && entry.parentPath.includes('swath-work-'))
    missingParts = [...sent, ...workFiles, ...drafts].map((entry) => join(entry.parentPath, entry.name))
    if (missingParts.length === 0) return
    await pause(500)
  }
  context.violations.push(`left behind: ${missingParts.map((path) => path.slice(context.folder.length)).join(', ')}`)
}
