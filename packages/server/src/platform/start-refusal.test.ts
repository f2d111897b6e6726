import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigFault } from './config.ts'
import { DatabaseFailure } from './database/failures.ts'
import { startRefusal } from './start-refusal.ts'

const where = {
  host: '127.0.0.1',
  port: 8080,
  data_dir: '.data',
  database_url: 'postgres://swath:s%20cret@db.example:6543/swath',
  database_migration_url: null,
}
const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

test('an error that an operator can fix is reported as one sentence', () => {
  const inUse = startRefusal(systemError('EADDRINUSE', 'listen'), where)
  assert.equal(inUse, 'Port 8080 of 127.0.0.1 is in use by another program. Set PORT to a free one.')
  assert.match(startRefusal(systemError('EACCES', 'listen'), where) ?? '', /PORT/)
  const closed = new DatabaseFailure('privileges-missing', 'the role may not')
  assert.equal(startRefusal(closed, where), 'The role may not.')
  const folder = new DatabaseFailure('folder-in-use', 'the data folder .data is in use by process 1')
  assert.equal(startRefusal(folder, where), 'The data folder .data is in use by process 1.')
  assert.match(startRefusal(new ConfigFault(['PORT is not a number']), null) ?? '', /PORT is not a number/)
})

test('a full disk is reported with its folder, for a system error and for a database failure', () => {
  for (const error of [systemError('ENOSPC', 'write'), new DatabaseFailure('disk-full', 'no room')])
    assert.match(startRefusal(error, where) ?? '', /^The disk of the data folder \.data is full\./)
})

test('an unreachable database is reported with host and port, never with its password', () => {
  for (const cause of [
    systemError('ECONNREFUSED', 'connect'),
    new AggregateError([systemError('ECONNREFUSED', 'connect')]),
    new Error('postgres://swath:s%20cret@db.example is dead\nand s cret too'),
    new Error('authentication failed with s cret'),
  ]) {
    const said = startRefusal(new DatabaseFailure('database-unavailable', 'no connection', cause), where) ?? ''
    assert.match(said, /^The database at db\.example:6543 cannot be used: .*DATABASE_URL/)
    const twoRoles = {
      ...where,
      database_url: 'postgres://a:b@other/swath',
      database_migration_url: where.database_url,
    }
    const owner = startRefusal(new DatabaseFailure('owner-unavailable', 'no connection', cause), twoRoles) ?? ''
    assert.match(owner, /^The database at db\.example:6543 cannot be used: .*DATABASE_MIGRATION_URL/)
    assert.doesNotMatch(owner, /cret@|s cret|\n/)
    assert.doesNotMatch(said, /cret@|s cret|\n/)
  }
})

test('an internal error is not explained, so that its stack is printed', () => {
  assert.equal(startRefusal(new Error('invariant: no'), where), null)
  assert.equal(startRefusal(systemError('EACCES', 'open'), where), null)
})
