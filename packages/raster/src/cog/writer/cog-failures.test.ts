import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { CogInput, CogOptions } from './cog-types.ts'
import { writeCog } from './cog.ts'

const folder = mkdtempSync(join(tmpdir(), 'cog-failures-'))
after(() => rmSync(folder, { recursive: true }))

const width_pixels = 700

function noise(readRows?: CogInput['readRows']): CogInput {
  return {
    width: width_pixels,
    height: 1000,
    sampleType: 'uint16',
    bands: [{ name: null, colour: 'gray', scale: 1, offset: 0 }],
    nodata: null,
    masked: true,
    georeferencing: { affine: null, crs: null, geoTags: null },
    readRows:
      readRows ??
      (async (top, rows) => {
        const data = Uint16Array.from({ length: width_pixels * rows }, (_, i) => ((i + top) * 40_503) & 0xffff)
        return { width: width_pixels, rows, bands: 1, data, mask: null }
      }),
  }
}

const path = join(folder, 'never.tif')

async function assertNothingLeft(work: Promise<unknown>, expected: object): Promise<void> {
  await assert.rejects(work, expected)
  assert.deepEqual(readdirSync(folder), [])
}

test('a writer that is cancelled between two strips, or while tiles are packed, leaves nothing', async () => {
  for (const strips of [1, 2, 4]) {
    const cancel = new AbortController()
    const whole = noise()
    let read = 0
    const input = noise(async (top, rows) => {
      if (++read === strips) cancel.abort()
      return whole.readRows(top, rows)
    })
    await assertNothingLeft(writeCog(input, path, { block: 128, signal: cancel.signal }), { kind: 'cancelled' })
    assert.equal(read, strips)
  }
})

test('cancelled while the parts are joined', async (t) => {
  const cancel = new AbortController()
  const prototype = Object.getPrototypeOf(await openedHandle()) as { writeFile: (bytes: Uint8Array) => Promise<void> }
  const { writeFile } = prototype
  let writes = 0
  t.mock.method(prototype, 'writeFile', function joined(this: object, bytes: Uint8Array) {
    if (++writes === 2) cancel.abort()
    return writeFile.call(this, bytes)
  })
  await assertNothingLeft(writeCog(noise(), path, { block: 128, signal: cancel.signal }), { kind: 'cancelled' })
})

/** A file handle, whose methods are those of all file handles. */
async function openedHandle(): Promise<object> {
  const handle = await open(import.meta.filename)
  await handle.close()
  return handle
}

for (const method of ['writev', 'writeFile', 'read'] as const)
  test(`a disk that fails in ${method} leaves nothing behind`, async (t) => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: method })
    const prototype = Object.getPrototypeOf(await openedHandle()) as Record<string, () => Promise<unknown>>
    const original = prototype[method]!
    let calls = 0
    t.mock.method(prototype, method, function failing(this: object, ...inputs: []) {
      return ++calls === 3 ? Promise.reject(full) : original.apply(this, inputs)
    })
    await assertNothingLeft(writeCog(noise(), path, { block: 128 }), { kind: 'write', message: /no space left/ })
  })

test('a disk that takes only part of a block leaves nothing behind', async (t) => {
  const prototype = Object.getPrototypeOf(await openedHandle()) as Record<string, () => Promise<unknown>>
  t.mock.method(prototype, 'writev', async () => ({ bytesWritten: 3 }))
  await assertNothingLeft(writeCog(noise(), path, { block: 128 }), { kind: 'write' })
})

test('a source that breaks, also while tiles are packed, leaves nothing behind', async () => {
  const whole = noise()
  for (const broken of [0, 256, 896]) {
    const input = noise(async (top, rows) => {
      if (top >= broken) throw new Error('the source broke')
      return whole.readRows(top, rows)
    })
    await assertNothingLeft(writeCog(input, path, { block: 128 }), /the source broke/)
  }
})

test('invalid options are refused before anything is written', async () => {
  const bytes = { ...noise(), sampleType: 'uint8' as const }
  const bands = (...colours: string[]): CogInput['bands'] =>
    colours.map((colour) => ({ name: null, colour, scale: 1, offset: 0 }))
  const cases: readonly (readonly [input: CogInput, options: CogOptions, message: RegExp])[] = [
    [noise(), { compression: 'jpeg' }, /JPEG does not hold samples of type uint16/],
    [noise(), { compression: 'webp' }, /WebP does not hold samples of type uint16/],
    [{ ...bytes, bands: bands('gray', 'alpha') }, { compression: 'jpeg' }, /JPEG does not hold 2 bands/],
    [bytes, { compression: 'webp' }, /WebP does not hold 1 bands/],
    [{ ...bytes, bands: bands('red', 'green', 'blue', 'undefined') }, { compression: 'webp' }, /not alpha/],
    [{ ...bytes, bands: bands('red', 'green', 'alpha') }, { compression: 'jpeg' }, /an alpha band here/],
    [{ ...bytes, palette: new Uint8Array(768) }, { compression: 'jpeg' }, /indices into a palette/],
    [noise(), { level: 10 }, /level of 10 is not between 1 and 9/],
    [noise(), { compression: 'zstd', level: 0 }, /level of 0/],
    [bytes, { compression: 'jpeg', quality: 101 }, /quality of 101/],
  ]
  for (const [input, options, message] of cases)
    await assertNothingLeft(writeCog(input, path, options), { kind: 'request', message })
})
