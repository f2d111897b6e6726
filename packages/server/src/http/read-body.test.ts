import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Problem } from '../engine/problem.ts'
import { readBytes, readJson } from './read-body.ts'

const problem = (name: string) => (error: unknown) => error instanceof Problem && error.problem === name
const text = (words: string): Uint8Array => new TextEncoder().encode(words)

test('a body is read to its end, in whatever pieces it comes', async () => {
  for (const pieces of [['{"a":1}'], ['{"a', '":1', '}'], []]) {
    const bytes = await readBytes(Readable.from(pieces.map((piece) => Buffer.from(piece))), 100, null)
    assert.equal(bytes.toString(), pieces.join(''))
  }
})

test('a body beyond the limit is refused: by what it announces, or when it passes it, without reading on', async () => {
  let sent = 0
  const endless = new Readable({
    read() {
      sent += 1000
      this.push(Buffer.alloc(1000))
    },
  })
  await assert.rejects(readBytes(endless, 10_000, null), problem('too-large'))
  const then = sent
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(sent - then < 100_000, 'it is still being read')
  endless.destroy()
  await assert.rejects(readBytes(Readable.from([]), 10, 11), problem('too-large'))
  assert.equal((await readBytes(Readable.from([Buffer.alloc(10)]), 10, 10)).length, 10)
})

test('a body that breaks off is no body', async () => {
  const broken = new Readable({ read() {} })
  broken.push(Buffer.from('{"a"'))
  const reading = readBytes(broken, 100, null)
  broken.destroy()
  await assert.rejects(reading, problem('malformed'))
})

test('no body is nothing, and what is no UTF-8 is malformed', () => {
  assert.equal(readJson(new Uint8Array(0)), undefined)
  assert.deepEqual(readJson(text('{"a":"ä€😀"}')), { a: 'ä€😀' })
  for (const bytes of [
    [0xff, 0xfe],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    assert.throws(() => readJson(new Uint8Array(bytes)), problem('malformed'))
  }
})
