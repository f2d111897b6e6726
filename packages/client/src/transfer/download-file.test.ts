import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { startFaultServer, type FaultServer } from '../../test/fault-server.ts'
import { fileTarget } from '../node/file-target.ts'
import { ApiProblem } from '../problem.ts'
import { downloadFile, type DownloadOptions } from './download-file.ts'
import { streamTarget } from './download-target.ts'
import { ChecksumError, RemoteChangedError } from './errors.ts'
import type { RemoteFile } from './remote-reader.ts'

const range_bytes = 1000
const content = Uint8Array.from({ length: 10_500 }, (_, index) => (index * 7 + (index >> 8)) & 255)
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

let server: FaultServer
let folder: string
let path: string
before(async () => {
  server = await startFaultServer(content)
  folder = await mkdtemp(join(tmpdir(), 'swath-download-'))
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

let files = 0
beforeEach(() => {
  Object.assign(server, { content, hasEtag: true, fault: () => null, sent_bytes: 0 })
  server.requests.length = 0
  path = join(folder, `${files++}`, 'scene.tif')
})

/** The file of the server; `issued` are the URLs that were asked for. */
function createRemote(change: Partial<RemoteFile> = {}): RemoteFile & { readonly issued: boolean[] } {
  const issued: boolean[] = []
  return {
    size_bytes: content.length,
    sha256: sha256Of(content),
    issueUrl: async (isRefused) => `${server.origin}/${issued.push(isRefused)}`,
    issued,
    ...change,
  }
}

const waits: number[] = []
const options: DownloadOptions = { range_bytes, wait: async (ms) => void waits.push(ms) }
const left = async (): Promise<string[]> => (await readdir(join(path, '..'))).toSorted()

/** A download that breaks after some requests, as by a crash: its part stays. */
async function interrupt(served: number, remote: RemoteFile = createRemote()): Promise<void> {
  server.requests.length = 0
  server.fault = (_, number) => (number < served ? null : { status: 404 })
  await assert.rejects(downloadFile(remote, fileTarget(path), { ...options, parallel: 1 }), ApiProblem)
  server.fault = () => null
  server.requests.length = 0
}

test('downloads a file in parallel ranges, verifies it, and leaves only the file', async () => {
  const progress: number[] = []
  const remote = createRemote()
  const onProgress = ({ done_bytes }: { done_bytes: number }): void => void progress.push(done_bytes)
  assert.deepEqual(await downloadFile(remote, fileTarget(path), { ...options, onProgress }), {
    bytes: content.length,
    sha256: sha256Of(content),
  })
  assert.deepEqual(new Uint8Array(await readFile(path)), content)
  assert.deepEqual(await left(), ['scene.tif'])
  assert.equal(server.requests.length, 11)
  assert.deepEqual([progress[0], progress.at(-1)], [0, content.length])
  assert.deepEqual(remote.issued, [false])
  assert.equal(server.sent_bytes, content.length)
})

test('an interrupted download goes on where its part ends, and asks only for the rest', async () => {
  await interrupt(3)
  assert.deepEqual(await left(), ['scene.tif.part', 'scene.tif.part.json'])
  await downloadFile(createRemote(), fileTarget(path), options)
  assert.deepEqual(new Uint8Array(await readFile(path)), content)
  assert.equal(Math.min(...server.requests.map(({ start }) => start)), 3000)
  assert.ok(server.requests.every(({ ifRange }) => ifRange !== null))
  assert.deepEqual(await left(), ['scene.tif'])
})

test('a part that is whole is verified and takes its place without another byte', async () => {
  await interrupt(3)
  await writeFile(`${path}.part`, content)
  await downloadFile(createRemote(), fileTarget(path), options)
  assert.deepEqual(new Uint8Array(await readFile(path)), content)
  assert.deepEqual(
    server.requests.map(({ start }) => start),
    [content.length],
  )
})

test('a file that changed since the interruption starts anew', async () => {
  const remote = createRemote({ sha256: null })
  await interrupt(3, remote)
  server.content = content.map((byte) => byte ^ 1)
  const { sha256 } = await downloadFile(remote, fileTarget(path), options)
  assert.equal(sha256, sha256Of(server.content))
  assert.deepEqual(new Uint8Array(await readFile(path)), server.content)
})

test('a file that changes during the download starts anew', async () => {
  const changed = content.map((byte) => byte ^ 1)
  server.fault = (_, number) => {
    if (number === 4) server.content = changed
    return null
  }
  const { sha256 } = await downloadFile(createRemote({ sha256: null }), fileTarget(path), options)
  assert.equal(sha256, sha256Of(changed))
  assert.deepEqual(new Uint8Array(await readFile(path)), changed)
})

test('the part of another file, a part that is too long, and a part without a state start anew', async () => {
  for (const spoil of [
    () => writeFile(`${path}.part`, new Uint8Array(content.length + 1)),
    () => writeFile(`${path}.part.json`, '{"size_bytes": 3'),
    () => writeFile(`${path}.part.json`, JSON.stringify({ size_bytes: content.length, sha256: 'other', etag: '"e"' })),
    () => rm(`${path}.part.json`),
  ]) {
    await interrupt(3)
    await spoil()
    await downloadFile(createRemote(), fileTarget(path), options)
    assert.deepEqual(new Uint8Array(await readFile(path)), content)
    assert.equal(server.requests[0]!.start, 0)
    await rm(path)
  }
})

test('kept bytes that are wrong are noticed at the end, and the file is downloaded once more', async () => {
  await interrupt(3)
  await writeFile(`${path}.part`, new Uint8Array(3000))
  await downloadFile(createRemote(), fileTarget(path), options)
  assert.deepEqual(new Uint8Array(await readFile(path)), content)
  assert.ok(server.requests.some(({ start }) => start === 0))
})

test('bytes with another checksum or size fail, and nothing is left', async () => {
  server.fault = (_, number) => (number === 2 ? 'garbled' : null)
  await assert.rejects(downloadFile(createRemote(), fileTarget(path), options), ChecksumError)
  assert.deepEqual(await left(), [])
  server.fault = () => null
  const other = createRemote({ size_bytes: content.length + 1, sha256: null })
  await assert.rejects(downloadFile(other, fileTarget(path), options), ChecksumError)
  assert.deepEqual(await left(), [])
})

test('a connection that is cut in the middle of a range is continued at that byte', async () => {
  const cuts = 10
  server.fault = (_, number) => (number % 2 === 0 && number < 2 * cuts ? { cut_bytes: 300 } : null)
  await downloadFile(createRemote(), fileTarget(path), options)
  assert.deepEqual(new Uint8Array(await readFile(path)), content)
  // A stream that breaks forgets the bytes that nobody has taken yet.
  assert.ok(server.sent_bytes <= content.length + cuts * 300)
  assert.ok(server.requests.some(({ start }) => start % range_bytes === 300))
})

test('a connection that stalls is given up and continued', async () => {
  server.fault = (_, number) => (number === 1 ? { stall_bytes: 400 } : null)
  await downloadFile(createRemote(), fileTarget(path), { ...options, idle_timeout_ms: 50 })
  assert.deepEqual(new Uint8Array(await readFile(path)), content)
})

test('a signed URL that expires in the middle is asked for again, once for all ranges', async () => {
  for (const status of [403, 410]) {
    server.requests.length = 0
    server.fault = ({ url }, number) => (url === '/1' && number > 2 ? { status } : null)
    const remote = createRemote()
    await downloadFile(remote, fileTarget(path), options)
    assert.deepEqual(remote.issued, [false, true])
    assert.deepEqual(new Uint8Array(await readFile(path)), content)
  }
})

test('a fresh URL that is refused, too, fails with the problem of the server', async () => {
  const body = JSON.stringify({ type: 'https://x/problems/forbidden', title: 'Forbidden' })
  server.fault = () => ({ status: 403, body })
  const remote = createRemote()
  await assert.rejects(downloadFile(remote, fileTarget(path), options), { problem: 'forbidden', status: 403 })
  assert.deepEqual(remote.issued, [false, true])
})

test('a busy server is asked again when it says; a limit of a day is told at once', async () => {
  waits.length = 0
  server.fault = (_, number) => (number === 1 ? { status: 503, headers: { 'retry-after': '7' } } : null)
  await downloadFile(createRemote(), fileTarget(path), options)
  assert.deepEqual(waits, [7000])
  server.fault = () => ({ status: 429, headers: { 'retry-after': '40000' } })
  await assert.rejects(downloadFile(createRemote(), fileTarget(path), options), { status: 429 })
  assert.deepEqual(waits, [7000])
})

test('a server that is never well again fails after ten tries with longer and longer waits', async () => {
  waits.length = 0
  server.fault = () => ({ status: 500 })
  await assert.rejects(downloadFile(createRemote(), fileTarget(path), options), { status: 500 })
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000])
})

test('a server without ranges sends the whole; a cut costs what was sent', async () => {
  server.fault = (_, number) => (number === 0 ? { cut_bytes: 10 } : 'whole')
  server.hasEtag = false
  await downloadFile(createRemote(), fileTarget(path), options)
  assert.deepEqual(new Uint8Array(await readFile(path)), content)
})

test('an empty file is a file', async () => {
  server.content = new Uint8Array()
  const { bytes } = await downloadFile(createRemote({ size_bytes: 0, sha256: sha256Of(server.content) }), fileTarget(path), options) // prettier-ignore
  assert.equal(bytes, 0)
  assert.equal((await readFile(path)).length, 0)
})

test('a slow reader bounds what is requested ahead', async () => {
  let highest = 0
  let written = 0
  const parallel = 3
  const slow = new WritableStream<Uint8Array>({
    write: async (piece) => {
      written += piece.length
      await new Promise((resolve) => setTimeout(resolve, 2))
      const requested = Math.max(...server.requests.map(({ end }) => end))
      highest = Math.max(highest, requested - written)
    },
  })
  await downloadFile(createRemote(), streamTarget(slow), { ...options, parallel })
  assert.equal(written, content.length)
  assert.ok(highest <= (parallel + 1) * range_bytes, `${highest} bytes ahead`)
})

test('a stream is closed after its bytes were verified, and aborted otherwise', async () => {
  const ends: string[] = []
  const createStream = (): WritableStream<Uint8Array> =>
    new WritableStream({ close: () => void ends.push('closed'), abort: () => void ends.push('aborted') })
  await downloadFile(createRemote(), streamTarget(createStream()), options)
  await assert.rejects(
    downloadFile(createRemote({ sha256: '0' }), streamTarget(createStream()), options),
    ChecksumError,
  )
  server.fault = (_, number) => {
    server.content = content.map((byte) => byte ^ number)
    return null
  }
  const changing = downloadFile(createRemote({ sha256: null }), streamTarget(createStream()), {
    ...options,
    parallel: 1,
  })
  await assert.rejects(changing, RemoteChangedError)
  assert.deepEqual(ends, ['closed', 'aborted', 'aborted'])
})

test('an abort stops the download with its reason and keeps the part', async () => {
  const stop = new AbortController()
  const reason = new Error('enough')
  const onProgress = ({ done_bytes }: { done_bytes: number }): void => {
    if (done_bytes >= 4000) stop.abort(reason)
  }
  const aborted = downloadFile(createRemote(), fileTarget(path), { ...options, onProgress, signal: stop.signal })
  await assert.rejects(aborted, reason)
  assert.deepEqual(await left(), ['scene.tif.part', 'scene.tif.part.json'])
})

test('whatever is cut and refused, the file arrives whole and few bytes are sent twice', async () => {
  const faults = fc.array(fc.constantFrom<'cut' | 'busy' | 'expired' | null>('cut', 'busy', 'expired', null), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(
      faults,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 700, max: 4000 }),
      async (plan, parallel, length) => {
        server.requests.length = 0
        server.sent_bytes = 0
        const last = { url: '' }
        server.fault = ({ url }, number) => {
          const fault = plan[number] ?? null
          if (fault === 'cut') return { cut_bytes: 123 }
          if (fault === 'busy') return { status: 503 }
          if (fault !== 'expired' || url === last.url) return null
          last.url = `/${Number(url.slice(1)) + 1}`
          return { status: 410 }
        }
        await downloadFile(createRemote(), fileTarget(path), { ...options, parallel, range_bytes: length })
        assert.deepEqual(new Uint8Array(await readFile(path)), content)
        const cuts = plan.filter((fault) => fault === 'cut').length
        assert.ok(server.sent_bytes <= content.length + cuts * 123)
      },
    ),
    { numRuns: 40 },
  )
})
