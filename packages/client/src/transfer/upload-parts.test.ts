import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSentWhole, listMissingParts, listParts, partSize } from './upload-parts.ts'

const part = partSize(1)

test('the parts of a file cover it without gaps, and are never too many', () => {
  for (const size of [part + 1, 2 * part, 5 * part + 17, 3e12]) {
    const parts = listParts(size)
    assert.ok(parts.length <= 10_000)
    assert.equal(parts[0]!.start, 0)
    assert.equal(parts.at(-1)!.end, size)
    assert.ok(parts.every(({ start }, index) => index === 0 || start === parts[index - 1]!.end))
  }
  assert.ok(isSentWhole(part) && !isSentWhole(part + 1))
})

test('parts that were received in full are not missing', () => {
  const received = [
    { number: 1, size_bytes: part },
    { number: 2, size_bytes: 5 },
    { number: 3, size_bytes: 1 },
  ]
  assert.deepEqual(
    listMissingParts(2 * part + 1, received).map(({ number }) => number),
    [2],
  )
  assert.equal(listMissingParts(2 * part + 1, []).length, 3)
})
