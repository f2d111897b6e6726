import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDiskNearlyFull } from './disk-space.ts'

test('a disk is full if it has less free space than required, and not if the space is unknown', async () => {
  assert.equal(await isDiskNearlyFull(tmpdir(), Number.POSITIVE_INFINITY), true)
  assert.equal(await isDiskNearlyFull(tmpdir(), 0), false)
  assert.equal(await isDiskNearlyFull(join(tmpdir(), 'swath-no-such-folder'), Number.POSITIVE_INFINITY), false)
})
