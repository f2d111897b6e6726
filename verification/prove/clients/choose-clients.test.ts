import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseClients } from './choose-clients.ts'

const folders = ['/clients/up42-4.3.0', '/clients/up42-2.6.0']

test('clients are chosen by a part of their name, all without one', () => {
  assert.deepEqual(chooseClients(folders, ''), folders)
  assert.deepEqual(chooseClients(folders, '2.6.0'), [folders[1]])
})

test('a text that no client has in its name is refused, as is an installation without clients', () => {
  assert.throws(() => chooseClients(folders, '9.9.9'), /no client has "9.9.9" in its name/)
  assert.throws(() => chooseClients(folders, 'clients'), /no client/)
  assert.throws(() => chooseClients([], ''), /no client/)
})
