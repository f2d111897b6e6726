import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { BlobTooLarge } from './blobs.ts'
import { createBlobPrefixQuotas } from './prefix-quota.ts'

const quota = { folder: 'uploads/u1', bytes: 100 }

async function* listFirst() {
  yield { path: 'uploads/u1/a', size: 60 }
}

test('an object that is listed while its writer has not ended is counted once', async () => {
  const quotas = createBlobPrefixQuotas(listFirst, systemClock)
  await quotas.reserve('uploads/u1/a', quota, async (countFirst) => {
    countFirst(60)
    await quotas.reserve('uploads/u1/b', quota, async (countSecond) => {
      countSecond(40)
      assert.throws(() => countSecond(1), BlobTooLarge)
    })
  })
})

test('two writers of one path count both, and the object that they replace does not count', async () => {
  const quotas = createBlobPrefixQuotas(listFirst, systemClock)
  await quotas.reserve('uploads/u1/a', quota, async (countFirst) => {
    countFirst(60)
    await quotas.reserve('uploads/u1/a', quota, async (countSecond) => {
      countSecond(40)
      assert.throws(() => countFirst(1), BlobTooLarge)
    })
    countFirst(39)
  })
})
