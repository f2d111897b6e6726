import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RasterByteSource } from '../../types.ts'
import { max_range_merge_gap_bytes, max_merged_range_bytes, max_parallel_range_reads, readRanges } from './coalesce.ts'
import type { ByteRange } from './coalesce.ts'
import { createCountingSource } from './counting.ts'
import { createMemorySource } from './memory.ts'

const content = new Uint8Array(20_000_000)
for (let at = 0; at < content.length; at += 251) content[at] = at % 255

async function read(ranges: readonly ByteRange[]): Promise<number> {
  const source = createCountingSource(createMemorySource(content, 'memory'))
  const answers = await readRanges(source, ranges)
  for (const [index, { offset, length }] of ranges.entries()) {
    assert.equal(Buffer.compare(answers[index]!, content.subarray(offset, offset + length)), 0, `range ${index}`)
  }
  return source.count.reads
}

test('neighbours are read together, in whatever order they are requested', async () => {
  assert.equal(await read([]), 0)
  const row = [0, 1, 2, 3].map((block) => ({ offset: 1000 + block * 300_008, length: 300_000 }))
  assert.equal(await read(row), 1)
  assert.equal(await read([row[2]!, row[0]!, row[3]!, row[1]!]), 1)
  assert.equal(await read([...row, ...row.map(({ offset, length }) => ({ offset: offset + 9_000_000, length }))]), 2)
})

test('a gap is read over when it is short, and a read does not grow for ever', async () => {
  const pair = (gap: number) => [
    { offset: 0, length: 100 },
    { offset: 100 + gap, length: 100 },
  ]
  assert.equal(await read(pair(max_range_merge_gap_bytes)), 1)
  assert.equal(await read(pair(max_range_merge_gap_bytes + 1)), 2)
  const half = max_merged_range_bytes / 2
  assert.equal(await read([0, 1].map((part) => ({ offset: part * half, length: half }))), 1)
  assert.equal(await read([0, 1, 2].map((part) => ({ offset: part * half, length: half }))), 2)
  assert.equal(await read([{ offset: 0, length: max_merged_range_bytes + 5 }]), 1)
})

test('ranges that overlap, hold each other or are empty', async () => {
  const ranges = [
    { offset: 0, length: 10_000 },
    { offset: 500, length: 10 },
    { offset: 9000, length: 5000 },
    { offset: 9000, length: 0 },
    { offset: 500, length: 10 },
    { offset: 19_999_990, length: 100 },
    { offset: 30_000_000, length: 100 },
  ]
  assert.equal(await read(ranges), 3)
})

test('six reads at one time, and none after a failure', async () => {
  const gates: { resolve: () => void; reject: (cause: Error) => void }[] = []
  let running = 0
  let most = 0
  const source: RasterByteSource = {
    id: 'gated',
    size: undefined,
    async read(_, length) {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve, reject) => gates.push({ resolve, reject }))
      running--
      return new Uint8Array(length)
    },
    close: async () => {},
  }
  const ranges = Array.from({ length: 20 }, (_, index) => ({ offset: index * 1_000_000, length: 10 }))
  const reading = readRanges(source, ranges)
  await new Promise(setImmediate)
  assert.equal(gates.length, max_parallel_range_reads)
  for (const gate of gates.splice(0, 2)) gate.resolve()
  await new Promise(setImmediate)
  assert.equal(gates.length, 6)
  const [failing, ...others] = gates.splice(0)
  failing!.reject(new Error('broken'))
  await assert.rejects(reading, /broken/)
  for (const gate of others) gate.resolve()
  await new Promise(setImmediate)
  assert.equal(gates.length, 0)
  assert.equal(most, max_parallel_range_reads)
})
