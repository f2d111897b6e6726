import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readVectorFile } from './convert-vector.ts'
import { VectorFailure } from './vector-failure.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-vectors-'))
})
after(() => rm(folder, { recursive: true }))

const line = { type: 'LineString', coordinates: Array.from({ length: 200_000 }, (_, at) => [at % 90, (at * 7) % 80]) }

test('a file is converted in a thread and returned with its checksum', async () => {
  const [path, out] = [join(folder, 'line'), join(folder, 'line.out')]
  await writeFile(path, JSON.stringify(line))
  const file = await readVectorFile(path, out)
  assert.deepEqual([file.features, file.positions, file.bbox], [1, 200_000, [0, 0, 89, 79]])
  assert.equal(
    file.checksum_sha256,
    createHash('sha256')
      .update(await readFile(out))
      .digest('hex'),
  )
})

test('a failure in the thread is rethrown and leaves no file', async () => {
  const path = join(folder, 'broken')
  await writeFile(path, '{"type":"Point","coordinates":[1')
  await assert.rejects(
    readVectorFile(path, join(folder, 'none')),
    (error) => error instanceof VectorFailure && error.kind === 'damaged',
  )
  assert.ok(!(await readdir(folder)).includes('none'))
})

test('a conversion that needs too much memory or is aborted ends with its thread', async () => {
  const path = join(folder, 'line')
  const isTooCostly = (error: unknown) => error instanceof VectorFailure && /more memory/.test(error.message)
  await assert.rejects(readVectorFile(path, join(folder, 'none'), { max_heap_mib: 16 }), isTooCostly)
  const aborted = AbortSignal.abort(new Error('gone'))
  await assert.rejects(readVectorFile(path, join(folder, 'none'), { signal: aborted }), /gone/)
  assert.ok(!(await readdir(folder)).includes('none'))
})
