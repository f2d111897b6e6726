import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from './config.ts'
import { DatabaseFailure } from './database/failures.ts'
import { describeStartFailure } from './explain-start-failure.ts'

const settings = {
  host: '127.0.0.1',
  port: 8080,
  data_dir: '.data',
  database_url: 'postgres://swath:s%20cret@db.example:6543/swath',
  database_migration_url: null,
}
const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

test('an error that an operator can fix is reported as one sentence', () => {
  const portInUse = describeStartFailure(systemError('EADDRINUSE', 'listen'), settings)
  assert.equal(portInUse, 'Port 8080 of 127.0.0.1 is in use by another program. Set PORT to a free one.')
  assert.match(describeStartFailure(systemError('EACCES', 'listen'), settings) ?? '', /PORT/)
  const missingPrivileges = new DatabaseFailure('privileges-missing', 'the role may not')
  assert.equal(describeStartFailure(missingPrivileges, settings), 'The role may not.')
  const folderInUse = new DatabaseFailure('folder-in-use', 'the data folder .data is in use by process 1')
  assert.equal(describeStartFailure(folderInUse, settings), 'The data folder .data is in use by process 1.')
  assert.match(describeStartFailure(new ConfigError(['PORT is not a number']), null) ?? '', /PORT is not a number/)
})

test('a full disk is reported with its folder, for a system error and for a database failure', () => {
  for (const error of [systemError('ENOSPC', 'write'), new DatabaseFailure('disk-full', 'no space left')])
    assert.match(describeStartFailure(error, settings) ?? '', /^The disk of the data folder \.data is full\./)
})

test('an unreachable database is reported with host and port, never with its password', () => {
  for (const cause of [
    systemError('ECONNREFUSED', 'connect'),
    new AggregateError([systemError('ECONNREFUSED', 'connect')]),
    new Error('postgres://swath:s%20cret@db.example is dead\nand s cret too'),
    new Error('authentication failed with s cret'),
  ]) {
    const message =
      describeStartFailure(new DatabaseFailure('database-unavailable', 'no connection', cause), settings) ?? ''
    assert.match(message, /^The database at db\.example:6543 cannot be used: .*DATABASE_URL/)
    const twoRoleSettings = {
      ...settings,
      database_url: 'postgres://a:b@other/swath',
      database_migration_url: settings.database_url,
    }
    const ownerMessage =
      describeStartFailure(new DatabaseFailure('owner-unavailable', 'no connection', cause), twoRoleSettings) ?? ''
    assert.match(ownerMessage, /^The database at db\.example:6543 cannot be used: .*DATABASE_MIGRATION_URL/)
    assert.doesNotMatch(ownerMessage, /cret@|s cret|\n/)
    assert.doesNotMatch(message, /cret@|s cret|\n/)
  }
})

test('an internal error is not explained, so that its stack is printed', () => {
  assert.equal(describeStartFailure(new Error('invariant: no'), settings), null)
  assert.equal(describeStartFailure(systemError('EACCES', 'open'), settings), null)
})
