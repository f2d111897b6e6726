import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBuffer } from 'yauzl'
import { streamZipArchive, type ZipSourceEntry } from './pack-zip.ts'

const modified_at = new Date('2026-01-01T00:00:00Z')
const text = (path: string, body: string, size = body.length): ZipSourceEntry => ({
  path,
  size,
  modified_at,
  open: async () => new Blob([body]).stream(),
})

const readAll = async (stream: ReadableStream<Uint8Array>): Promise<Buffer> =>
  Buffer.from(await new Response(stream).arrayBuffer())

/** The files of an archive, read with a library that validates sizes and checksums. */
function unpack(bytes: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const found: Record<string, string> = {}
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('end', () => resolve(found))
      zip.on('error', reject)
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, (fault, stream) => {
          if (fault) return reject(fault)
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('error', reject)
          stream.on('end', () => {
            found[entry.fileName] = Buffer.concat(chunks).toString()
            zip.readEntry()
          })
        }),
      )
      zip.readEntry()
    })
  })
}

test('an archive has the declared size and contains every file', async () => {
  const { size, stream } = await streamZipArchive([
    text('a.txt', 'first'),
    text('b/ü.txt', 'second'),
    text('empty', ''),
  ])
  const bytes = await readAll(stream)
  assert.equal(bytes.length, size)
  assert.deepEqual(await unpack(bytes), { 'a.txt': 'first', 'b/ü.txt': 'second', empty: '' })
})

test('files are opened lazily, one at a time', async () => {
  let open = 0
  let max_open = 0
  const counted = (path: string): ZipSourceEntry => ({
    ...text(path, 'x'.repeat(100_000)),
    open: async () => {
      max_open = Math.max(max_open, ++open)
      return new Blob(['x'.repeat(100_000)]).stream().pipeThrough(
        new TransformStream({
          flush: () => {
            open--
          },
        }),
      )
    },
  })
  const { stream } = await streamZipArchive(Array.from({ length: 20 }, (_, at) => counted(`${at}`)))
  await readAll(stream)
  assert.deepEqual([open, max_open], [0, 1])
})

test('a file of another size than declared, or one that cannot be opened, fails the stream', async () => {
  for (const size of [3, 7]) {
    const { stream } = await streamZipArchive([text('a', 'first', size)])
    await assert.rejects(readAll(stream))
  }
  const unreadable: ZipSourceEntry = { ...text('a', 'first'), open: () => Promise.reject(new Error('gone')) }
  await assert.rejects(readAll((await streamZipArchive([text('b', 'x'), unreadable])).stream))
})

test('an archive that is cancelled before reading does not throw', async () => {
  for (let round = 0; round < 5; round++) {
    const { stream } = await streamZipArchive([text('a', 'x'.repeat(1_000_000)), text('b', 'y')])
    for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
    await stream.cancel()
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
})

test('cancelling the stream closes the file that is being read', async () => {
  let cancelled = false
  let pulled = 0
  const endless: ZipSourceEntry = {
    path: 'endless',
    size: 2 ** 40,
    modified_at,
    open: async () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          pulled++
          controller.enqueue(new Uint8Array(65_536))
        },
        cancel: () => {
          cancelled = true
        },
      }),
  }
  const { size, stream } = await streamZipArchive([endless])
  assert.ok(size > 2 ** 40)
  const reader = stream.getReader()
  for (let read = 0; read < 10; read++) await reader.read()
  assert.ok(pulled < 200, `${pulled} chunks were read ahead`)
  await reader.cancel()
  for (let round = 0; round < 100 && !cancelled; round++) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(cancelled)
})
