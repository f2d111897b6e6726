import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { drainBody } from './drain-body.ts'

const chunk_bytes = 64 * 1024

/** A body of `chunks` chunks that arrives as fast as it is read. */
function createBody(chunks: number) {
  const body = { stream: undefined as unknown as Readable, read: 0 }
  body.stream = new Readable({
    highWaterMark: chunk_bytes,
    read() {
      this.push(body.read === chunks ? null : Buffer.alloc(chunk_bytes))
      if (body.read < chunks) body.read++
    },
  })
  return body
}

async function runEventLoop(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
}

test('the rest of a rejected body is read with a pause after each chunk, to its end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const body = createBody(100)
  drainBody(body.stream)
  await runEventLoop()
  // One chunk is discarded, and at most two are buffered.
  assert.ok(body.read <= 3, `${body.read} chunks`)
  for (let pauses = 0; pauses < 110 && !body.stream.readableEnded; pauses++) {
    t.mock.timers.tick(10)
    await runEventLoop()
  }
  assert.equal(body.read, 100)
  assert.equal(body.stream.readableEnded, true)
})

test('a rejected body with more than 16 MiB left is destroyed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const body = createBody(1000)
  drainBody(body.stream)
  for (let pauses = 0; pauses < 300 && !body.stream.destroyed; pauses++) {
    t.mock.timers.tick(10)
    await runEventLoop()
  }
  assert.equal(body.stream.destroyed, true)
  assert.ok(body.read <= 260, `${body.read} chunks`)
})

test('a rejected body that has not ended after ten seconds is destroyed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stream = new Readable({ read: () => undefined })
  drainBody(stream)
  t.mock.timers.tick(9_999)
  assert.equal(stream.destroyed, false)
  t.mock.timers.tick(1)
  assert.equal(stream.destroyed, true)
})
