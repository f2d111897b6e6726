import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sendBytes } from './send-bytes.ts'

test('parts of any length are sent whole with the signed media type; a refusal is a problem', async () => {
  const received: [number, string | undefined][] = []
  const server = createServer(async (request, response) => {
    let length = 0
    for await (const piece of request) length += (piece as Buffer).length
    received.push([length, request.headers['content-type']])
    response.writeHead(length === 3 ? 403 : 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const options = { signal: new AbortController().signal, onSent: () => undefined }
  try {
    // One that gives a time limit of a fraction of a millisecond, and one that has the shortest limit.
    for (const length of [2 ** 21 + 1, 5]) await sendBytes(url, new Uint8Array(length), options)
    await assert.rejects(sendBytes(url, new Uint8Array(3), options), { status: 403 })
    assert.deepEqual(
      received,
      [2 ** 21 + 1, 5, 3].map((length) => [length, 'application/octet-stream']),
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
