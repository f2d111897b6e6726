import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNameServer, type TestNameServer } from '../../../test/federation/name-server.ts'
import { createTextRecordReader, TextRecordFailure, type ReadTextRecords } from './text-records.ts'

let server: TestNameServer
let read: ReadTextRecords
before(async () => {
  server = await startTestNameServer()
  read = createTextRecordReader({ dns_servers: [server.address], dns_timeout_ms: 500 })
})
after(() => server?.close())

test('each record is one text, also if it is sent in parts', async () => {
  const long = 'x'.repeat(600)
  server.records.set('_proof.example.com', ['one', long])
  assert.deepEqual((await read('_proof.example.com')).toSorted(), ['one', long].toSorted())
})

test('a name without records has none', async () => {
  assert.deepEqual(await read('unknown.example.com'), [])
  server.records.set('empty.example.com', [])
  assert.deepEqual(await read('empty.example.com'), [])
})

test('name servers that fail or do not answer are a failure, and not an absent record', async () => {
  server.isBroken = true
  await assert.rejects(read('_proof.example.com'), TextRecordFailure)
  server.isBroken = false
  const silent = createTextRecordReader({ dns_servers: ['127.0.0.1:1'], dns_timeout_ms: 100 })
  await assert.rejects(silent('_proof.example.com'), TextRecordFailure)
})
